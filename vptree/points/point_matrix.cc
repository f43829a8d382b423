// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/point_matrix.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace warpclust {
absl::Status PointMatrix::Validate() const {
  if (num_points < 0 || num_dimensions < 0 ||
      static_cast<int64_t>(values.size()) !=
          static_cast<int64_t>(num_points) * num_dimensions) {
    return absl::InvalidArgumentError(
        absl::StrCat("point matrix: expected ", num_points, " x ",
                     num_dimensions, " coordinates, found ", values.size()));
  }
  if (num_points > 0 && num_dimensions == 0) {
    return absl::InvalidArgumentError(
        "point matrix: expected at least one coordinate per point, found none");
  }
  for (int32_t point = 0; point < num_points; ++point) {
    const double* row = Row(point);
    for (int32_t k = 0; k < num_dimensions; ++k) {
      // The comparison is false for NaN.
      if (!(std::fabs(row[k]) <= kLargestCoordinate)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "point ", point, ", coordinate ", k,
            ": expected a finite number of magnitude at most 1e150, found ",
            row[k]));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
