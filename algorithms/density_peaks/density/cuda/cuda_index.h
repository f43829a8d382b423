// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaIndex: the index of points in GPU memory that a DensityPeaksIndex names,
// a tree or brute force.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_CUDA_INDEX_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_CUDA_INDEX_H_

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/density/make_index.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/device_points.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// One of them, once built.
struct CudaIndex {
  std::optional<CudaLeafTree> tree;
  std::optional<CudaBruteForce> brute_force;

  // "box tree", "vp tree" or "brute force".
  absl::string_view name() const;
};

// Builds the index of `kind`: `prepared`, which are `points` on the host. kAuto
// chooses for the radius. Brute force of `points` may be there; then `kind` may
// name it. ResourceExhausted if device memory does not suffice.
absl::Status BuildCudaIndex(const PointMatrix& prepared,
                            const DevicePoints& points, DensityPeaksIndex kind,
                            double radius_key, int num_threads,
                            CudaIndex& index);

// How long both searches of a decision graph take by brute force among
// `points`, and whether a tree may take less: brute force takes so long that
// building a tree is worth trying, and a tree over a few of `prepared` leaves
// out many pairs. `prepared` are the points on the host, or some of them.
// ResourceExhausted as above.
struct BruteForceForecast {
  double seconds = 0;
  bool may_lose = false;
};
absl::StatusOr<BruteForceForecast> ForecastBruteForce(
    const PointMatrix& prepared, const DevicePoints& points, double radius_key,
    int num_threads, CudaBruteForce& brute_force);

// Builds a tree beside what there is.
absl::Status BuildCudaTree(const DevicePoints& points, CudaLeafTree::Kind kind,
                           CudaIndex& index);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_CUDA_INDEX_H_
