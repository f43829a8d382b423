// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of a decision page, compiled in by embed_text.sh.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_ASSETS_PAGE_ASSETS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_ASSETS_PAGE_ASSETS_H_

#include "absl/strings/string_view.h"

namespace warpclust {

absl::string_view DecisionPageBody();
absl::string_view DecisionPageStyle();
// All scripts, in order.
absl::string_view DecisionPageScript();

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_ASSETS_PAGE_ASSETS_H_
