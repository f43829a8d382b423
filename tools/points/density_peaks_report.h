// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What density_peaks says about its result: notes, the summary, and errors of
// the library in the words of the tool.

#ifndef WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_REPORT_H_
#define WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_REPORT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/files/point_names.h"
#include "tools/cli/cli.h"
#include "tools/cli/run_report.h"
#include "tools/points/density_peaks_flags.h"

namespace warpclust {

// Replaces field names in an error of the library by flags and files. `path` is
// the input.
absl::Status NamingFlags(const absl::Status& status, absl::string_view path,
                         const DensityPeaksFlags& options);

// Where d_c comes from. Empty if it was given.
std::string CutoffOrigin(const DensityPeaksFlags& options,
                         const DensityPeaksResult& result);

// Notes: what d_c is, and how sure the peaks are. A single cluster is seldom
// what was wanted: a note says what to try.
void NoteResult(const DensityPeaksFlags& options,
                const DensityPeaksOptions& library_options,
                const DensityPeaksResult& result, const ToolRun& run);

// Fills the summary.
void ReportResult(const DensityPeaksResult& result, const PointNames& names,
                  RunReport* report);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_DENSITY_PEAKS_REPORT_H_
