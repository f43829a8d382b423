// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReportPage: a report as one HTML page, without scripts and without anything
// that is loaded from elsewhere.

#ifndef WARPCLUST_TOOLS_REPRODUCE_PAGE_REPORT_PAGE_H_
#define WARPCLUST_TOOLS_REPRODUCE_PAGE_REPORT_PAGE_H_

#include <string>

#include "tools/reproduce/frame/report.h"

namespace warpclust {

// A section per exhibit: its charts, if the paper draws it, and its values in a
// table, the paper's beside ours. Then the files of --data.
std::string ReportPage(const Report& report);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_PAGE_REPORT_PAGE_H_
