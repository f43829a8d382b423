// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The decision graph on the GPU (Liu et al. 2023, section 4): the points go
// there once, the decision graph comes back once. Call DensityPeaks, which
// chooses the device.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DECISION_GRAPH_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DECISION_GRAPH_CUDA_H_

#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density/make_index.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class CudaBruteForce;   // vptree/brute_force/cuda/brute_force_cuda.h
struct DevicePoints;    // vptree/points/device_points.h
struct DeviceSearches;  // device_searches.h

// Densities, dependent points and their keys, the same bytes as those of
// DecisionGraphCpu. `points` are prepared for `metric`. If `kept` is not null,
// it gets the points, their index and ranks, which stay on the GPU as long.
// `on_device`: the points, if they are there (CopyPointsToDevice), or null.
// Unavailable in a build without CUDA or without a GPU; ResourceExhausted if
// device memory does not suffice.
absl::StatusOr<DecisionGraphRun> DecisionGraphCuda(
    const PointMatrix& points, Metric metric, DensityPeaksIndex index,
    double cutoff_distance, int num_threads,
    std::shared_ptr<const DevicePoints> on_device,
    std::shared_ptr<DeviceSearches>* kept);

// The same for points that only the GPU has, by brute force among them.
// build_seconds is 0. If GPUs share the pairs (pair_share.h), it is a
// collective call of theirs.
absl::StatusOr<DecisionGraphRun> DecisionGraphByBruteForce(
    std::shared_ptr<const DevicePoints> points,
    std::shared_ptr<CudaBruteForce> brute_force, Metric metric,
    double cutoff_distance, int num_threads,
    std::shared_ptr<DeviceSearches>* kept);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DECISION_GRAPH_CUDA_H_
