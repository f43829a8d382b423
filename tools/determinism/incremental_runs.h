// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Incremental density peaks of the determinism report: points that come and go
// in batches and end at those of the input.

#ifndef WARPCLUST_TOOLS_DETERMINISM_INCREMENTAL_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_INCREMENTAL_RUNS_H_

#include "absl/status/status.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/runner.h"

namespace warpclust {

// Either tree, either way of updating densities, batches of 1 to 1,024 points.
// Guests, which are duplicates of other points, come with the points and leave
// a batch later. `options` has a cutoff distance.
absl::Status RunIncremental(const PointsInput& input, const RunGroup& group,
                            const DensityPeaksOptions& options,
                            DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_INCREMENTAL_RUNS_H_
