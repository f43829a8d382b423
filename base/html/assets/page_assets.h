// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts that all pages share, compiled in by embed_text.sh: the files in
// this folder, and the plotting library as the system has it installed.

#ifndef WARPCLUST_BASE_HTML_ASSETS_PAGE_ASSETS_H_
#define WARPCLUST_BASE_HTML_ASSETS_PAGE_ASSETS_H_

#include "absl/strings/string_view.h"

namespace warpclust {

// With {{name}} for each part to insert: the page, and what surrounds the body
// of a page with scripts.
absl::string_view PageFrame();
absl::string_view PageApplication();
absl::string_view PageStyle();
// The scripts that all pages share, in order.
absl::string_view PageScript();
// D3, minified, and its license.
absl::string_view PageLibrary();
absl::string_view PageLibraryLicense();

}  // namespace warpclust

#endif  // WARPCLUST_BASE_HTML_ASSETS_PAGE_ASSETS_H_
