// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LargestKeyCuda: LargestKey (density/decision_graph_run.h) of points in GPU
// memory.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_LARGEST_KEY_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_LARGEST_KEY_CUDA_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "vptree/points/device_points.h"

namespace warpclust {

// The largest key of `row`, coordinates on the host, and any of the points; 0
// without points. ResourceExhausted if device memory does not suffice.
absl::StatusOr<double> LargestKeyCuda(const DevicePoints& points,
                                      absl::Span<const double> row);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_LARGEST_KEY_CUDA_H_
