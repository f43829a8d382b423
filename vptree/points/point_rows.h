// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointRows: points whose rows lie anywhere in memory, such as some of one
// PointMatrix, or those of two, without a copy of their coordinates. 8 bytes
// per point.

#ifndef WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_
#define WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_

#include <cstdint>
#include <vector>

#include "vptree/points/point_matrix.h"

namespace warpclust {

class PointRows {
 public:
  explicit PointRows(int32_t num_dimensions)
      : num_dimensions_(num_dimensions) {}
  explicit PointRows(const PointMatrix& points)
      : PointRows(points.num_dimensions) {
    rows_.reserve(points.num_points);
    Append(points.values.data(), points.num_points);
  }

  explicit PointRows(PointMatrix&&) = delete;  // It would not live long enough.

  // The next points are `count` adjacent rows, which must outlive this
  // where they are.
  void Append(const double* rows, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
      rows_.push_back(rows + int64_t{i} * num_dimensions_);
    }
  }

  int32_t num_points() const { return static_cast<int32_t>(rows_.size()); }
  int32_t num_dimensions() const { return num_dimensions_; }
  const double* Row(int32_t point) const { return rows_[point]; }

 private:
  int32_t num_dimensions_;
  std::vector<const double*> rows_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_
