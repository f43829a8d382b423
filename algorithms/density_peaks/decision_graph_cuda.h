// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The decision graph on the GPU. Use density_peaks.h, which chooses.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DECISION_GRAPH_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DECISION_GRAPH_CUDA_H_

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Densities, dependent points and their keys, the same bytes as
// DecisionGraphCpu. `prepared` is ready for options.metric; of the options
// metric, index and num_threads matter. Unavailable in a build without CUDA;
// ResourceExhausted if device memory runs out.
absl::StatusOr<DecisionGraphRun> DecisionGraphCuda(
    const PointMatrix& prepared, const DensityPeaksOptions& options,
    double radius_key);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DECISION_GRAPH_CUDA_H_
