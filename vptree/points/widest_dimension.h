// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WidestDimension: the dimension in which rows vary most, where a recursive
// division of points splits them. Unlike the sides of a bounding box, a few far
// points do not decide it.

#ifndef WARPCLUST_VPTREE_POINTS_WIDEST_DIMENSION_H_
#define WARPCLUST_VPTREE_POINTS_WIDEST_DIMENSION_H_

#include <cstdint>
#include <vector>

namespace warpclust {

// By the variance of up to 64 of the rows from `begin` to `end`, at least one,
// at equal steps; ties to the smaller dimension. -1 if these rows are equal.
// row_at(i) points to the coordinates of row i, which are finite and at most
// 1e150 in magnitude. Complexity: O(num_dimensions).
template <class RowAt>
int32_t WidestDimension(int32_t begin, int32_t end, int32_t num_dimensions,
                        const RowAt& row_at) {
  constexpr int32_t kSample = 64;
  std::vector<double> sums(num_dimensions), squares(num_dimensions);
  // One of the sample: no variance but 0 is lost to rounding.
  const auto* const origin = row_at(begin);
  const int32_t stride = (end - begin + kSample - 1) / kSample;
  int32_t count = 0;
  for (int64_t i = begin; i < end; i += stride) {
    const auto* const row = row_at(static_cast<int32_t>(i));
    for (int32_t k = 0; k < num_dimensions; ++k) {
      const double difference = static_cast<double>(row[k]) - origin[k];
      sums[k] += difference;
      squares[k] += difference * difference;
    }
    ++count;
  }
  int32_t widest = -1;
  double most = 0;
  for (int32_t k = 0; k < num_dimensions; ++k) {
    const double variance = squares[k] - sums[k] / count * sums[k];
    if (variance > most) {
      widest = k;
      most = variance;
    }
  }
  return widest;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_WIDEST_DIMENSION_H_
