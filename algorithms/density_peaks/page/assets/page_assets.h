// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of a decision page, compiled in by embed_text.sh: the files in this
// folder, and the plotting library as the system has it installed.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_ASSETS_PAGE_ASSETS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_ASSETS_PAGE_ASSETS_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// The frame, with {{name}} for each part to insert.
absl::string_view PageHtml();
absl::string_view PageStyle();
// All scripts of our own, in order.
absl::string_view PageScript();
// D3, minified, and its license.
absl::string_view PageLibrary();
absl::string_view PageLibraryLicense();

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_ASSETS_PAGE_ASSETS_H_
