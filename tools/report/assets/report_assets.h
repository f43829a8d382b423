// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of the pages of --report, compiled in by embed_text.sh.

#ifndef WARPCLUST_TOOLS_REPORT_ASSETS_REPORT_ASSETS_H_
#define WARPCLUST_TOOLS_REPORT_ASSETS_REPORT_ASSETS_H_

#include "absl/strings/string_view.h"

namespace warpclust {

absl::string_view ReportPageStyle();
absl::string_view NetworkPageBody();
absl::string_view NetworkPageScript();
absl::string_view DocumentsPageBody();
absl::string_view DocumentsPageScript();

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPORT_ASSETS_REPORT_ASSETS_H_
