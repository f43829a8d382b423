// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointRows: points whose rows lie anywhere in memory, such as some of one
// PointMatrix, or those of two, without a copy of their coordinates. Some may
// be of floats, which stand for the same doubles. 8 bytes per point.

#ifndef WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_
#define WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vptree/points/packed_points.h"
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
  void Append(const double* rows, int32_t count) { AppendRows(rows, count); }
  // The same of packed points, of which one call at most has floats.
  void Append(const PackedRows& rows) {
    if (rows.floats.empty())
      return Append(rows.doubles.data(), rows.num_points);
    floats_begin_ = num_points();
    floats_end_ = floats_begin_ + rows.num_points;
    AppendRows(rows.floats.data(), rows.num_points);
  }

  int32_t num_points() const { return static_cast<int32_t>(rows_.size()); }
  int32_t num_dimensions() const { return num_dimensions_; }
  // The row of a point as it lies; null if it is of the other type.
  const double* Doubles(int32_t point) const {
    return IsFloats(point) ? nullptr : static_cast<const double*>(rows_[point]);
  }
  const float* Floats(int32_t point) const {
    return IsFloats(point) ? static_cast<const float*>(rows_[point]) : nullptr;
  }
  // The row as doubles: as it lies, or in `room`, of num_dimensions().
  const double* Row(int32_t point, double* room) const {
    const float* const floats = Floats(point);
    if (floats == nullptr) return Doubles(point);
    std::copy_n(floats, num_dimensions_, room);
    return room;
  }

 private:
  bool IsFloats(int32_t point) const {
    return point >= floats_begin_ && point < floats_end_;
  }
  template <typename T>
  void AppendRows(const T* rows, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
      rows_.push_back(rows + int64_t{i} * num_dimensions_);
    }
  }

  int32_t num_dimensions_;
  // Those of [floats_begin_, floats_end_) are of floats.
  std::vector<const void*> rows_;
  int32_t floats_begin_ = 0;
  int32_t floats_end_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_
