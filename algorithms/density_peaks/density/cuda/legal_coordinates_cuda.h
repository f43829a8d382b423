// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// HasLegalCoordinatesCuda: what PointMatrix::Validate finds of coordinates, for
// points in GPU memory. One pass over them there takes about a hundredth of the
// time that a CPU takes.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_LEGAL_COORDINATES_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_LEGAL_COORDINATES_CUDA_H_

#include "absl/status/statusor.h"
#include "vptree/points/device_points.h"

namespace warpclust {

// Whether all coordinates are finite and at most kLargestCoordinate in
// magnitude. ResourceExhausted if device memory does not suffice.
absl::StatusOr<bool> HasLegalCoordinatesCuda(const DevicePoints& points);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_LEGAL_COORDINATES_CUDA_H_
