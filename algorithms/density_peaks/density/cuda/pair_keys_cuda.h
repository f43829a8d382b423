// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The pairs of a cutoff distance (density/cutoff_distance.h) on the GPU.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_PAIR_KEYS_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_PAIR_KEYS_CUDA_H_

#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DevicePoints;  // vptree/points/device_points.h

// Of pairs among points on the current GPU of the calling thread, which alone
// may use what is returned. Keys are found beside the work of the default
// stream: the coordinates may come after this call, but are there before Find
// and Sample. Unavailable in a build without CUDA; ResourceExhausted, also
// later, if device memory does not suffice.
absl::StatusOr<std::shared_ptr<internal::PairKeys>> PairKeysCuda(
    std::shared_ptr<const DevicePoints> points,
    const internal::PairsToCount& pairs);

// The same; copies the points there. Unavailable without a GPU.
absl::StatusOr<std::shared_ptr<internal::PairKeys>> PairKeysCuda(
    const PointMatrix& points, const internal::PairsToCount& pairs, Norm norm);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_PAIR_KEYS_CUDA_H_
