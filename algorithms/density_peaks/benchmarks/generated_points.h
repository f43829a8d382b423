// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Generated points of the benchmarks, the same for every call.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_GENERATED_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_GENERATED_POINTS_H_

#include <cstdint>

#include "vptree/points/point_matrix.h"

namespace warpclust {

// 50 Gaussians of unequal spread in the unit cube.
PointMatrix MixtureOfGaussians(int32_t num_points, int32_t num_dimensions);

PointMatrix UniformPoints(int32_t num_points, int32_t num_dimensions);

// A mixture in kSurfaceDimensions dimensions, bent into many by sines:
// distances are as in few dimensions, boxes are not.
inline constexpr int32_t kSurfaceDimensions = 3;
PointMatrix CurvedSurface(int32_t num_points, int32_t num_dimensions);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_GENERATED_POINTS_H_
