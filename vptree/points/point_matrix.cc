// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/point_matrix.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/machine/first_bad.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::Status PointMatrix::ValidateSizes() const {
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
  return absl::OkStatus();
}

absl::Status PointMatrix::Validate(int num_threads) const {
  RETURN_IF_ERROR(ValidateSizes());
  const auto size = static_cast<int64_t>(values.size());
  const int64_t first_wrong =
      FirstBad(size, ThreadsFor(size, 1 << 17, num_threads), [&](int64_t i) {
        // False for NaN.
        return std::fabs(values[i]) <= kLargestCoordinate;
      });
  if (first_wrong < size) {
    return absl::InvalidArgumentError(absl::StrCat(
        "point ", first_wrong / num_dimensions, ", coordinate ",
        first_wrong % num_dimensions,
        ": expected a finite number of magnitude at most 1e150, found ",
        values[first_wrong]));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
