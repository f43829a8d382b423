// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What every report must look like, whatever was measured.

#ifndef WARPCLUST_TOOLS_REPRODUCE_TESTING_REPORT_CHECK_H_
#define WARPCLUST_TOOLS_REPRODUCE_TESTING_REPORT_CHECK_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// OK if `json` is one object with the fields of a report, in their order, and
// every row has the fields of ReportRow with values of their types, an exhibit,
// a row, a column and a command. Otherwise InvalidArgument naming the place.
absl::Status CheckReportJson(absl::string_view json);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_REPRODUCE_TESTING_REPORT_CHECK_H_
