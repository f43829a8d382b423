// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of the page of a sweep, compiled in by embed_text.sh.

#ifndef WARPCLUST_TOOLS_POINTS_PAGE_ASSETS_PAGE_ASSETS_H_
#define WARPCLUST_TOOLS_POINTS_PAGE_ASSETS_PAGE_ASSETS_H_

#include "absl/strings/string_view.h"

namespace warpclust {

absl::string_view SweepPageBody();
absl::string_view SweepPageStyle();
absl::string_view SweepPageScript();

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_PAGE_ASSETS_PAGE_ASSETS_H_
