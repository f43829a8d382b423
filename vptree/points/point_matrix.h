// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointMatrix: points with dense coordinates, the input of all indexes.
//
// Coordinates are doubles: a GPS position needs more digits than a float has,
// and distances are decided on them exactly. Only filters use narrower types.

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

  // InvalidArgument, with the point, if the sizes do not match, if points have
  // no coordinates, or if a coordinate is not finite or larger than
  // kLargestCoordinate in magnitude.
  absl::Status Validate(int num_threads = 0) const;
  // Of the sizes only.
  absl::Status ValidateSizes() const;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_POINT_MATRIX_H_
