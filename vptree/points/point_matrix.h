// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointMatrix: points with dense coordinates, the input of the trees and of
// density peaks clustering.
//
// Coordinates are doubles: GPS positions and the like need more digits than a
// float has, and what lies within a distance is decided on them exactly (see
// vptree/points/metric.h). Faster types appear only in filters.
//
// Thread-safety: a plain value.

#ifndef WARPCLUST_VPTREE_POINTS_POINT_MATRIX_H_
#define WARPCLUST_VPTREE_POINTS_POINT_MATRIX_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"

namespace warpclust {

// The square of a larger coordinate would be infinite.
inline constexpr double kLargestCoordinate = 1e150;

struct PointMatrix {
  int32_t num_points = 0;
  int32_t num_dimensions = 0;
  // Row-major: coordinate k of point i is values[i * num_dimensions + k].
  std::vector<double> values;

  const double* Row(int32_t point) const {
    return values.data() + static_cast<int64_t>(point) * num_dimensions;
  }

  // InvalidArgument if the sizes do not fit each other, there are points
  // without coordinates, or a coordinate is not finite or beyond
  // kLargestCoordinate in magnitude; the message names the point.
  absl::Status Validate() const;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_POINT_MATRIX_H_
