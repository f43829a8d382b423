// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density peaks (algorithms/density_peaks) of the determinism report.

#ifndef WARPCLUST_TOOLS_DETERMINISM_DENSITY_PEAKS_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_DENSITY_PEAKS_RUNS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/runner.h"

namespace warpclust {

// With each metric, a group of: each index, all points at once; and batches
// that come and go and end at these points (incremental_runs.h). Metrics that
// refuse the points are left out with a note.
absl::Status RunDensityPeaks(const PointsInput& input, uint64_t seed,
                             DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_DENSITY_PEAKS_RUNS_H_
