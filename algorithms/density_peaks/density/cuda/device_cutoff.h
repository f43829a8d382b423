// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Cutoff distances (density/cutoff_distance.h) by a GPU, in every build.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_CUTOFF_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_CUTOFF_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DevicePoints;  // vptree/points/device_points.h

// ChooseCutoffDistances. With kCuda, the current GPU of the calling thread
// meets the pairs, if they are enough and its memory suffices for their points,
// or `on_device` are all points there.
absl::StatusOr<std::vector<CutoffDistance>> ChooseCutoffDistancesOn(
    Device device, const PointMatrix& points, Metric metric,
    absl::Span<const double> quantiles, uint64_t seed, int num_threads = 0,
    std::shared_ptr<const DevicePoints> on_device = nullptr);

namespace internal {

// The points of the pairs, ascending. The pairs then have places among them.
std::vector<int32_t> NumberPoints(PairsToCount* pairs);

// Keys of pairs on `device`; null if the CPU has to find them. `points` are
// those of the pairs.
std::shared_ptr<PairKeys> PairKeysOn(Device device, const PointMatrix& points,
                                     const PairsToCount& pairs, Norm norm);
// Of pairs of points on the current GPU. Errors as PairKeysCuda.
absl::StatusOr<std::shared_ptr<PairKeys>> PairKeysOn(
    std::shared_ptr<const DevicePoints> points, const PairsToCount& pairs);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_CUTOFF_H_
