// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointRows: points whose rows lie anywhere in memory, such as some of one
// PointMatrix, or those of two, without a copy of their coordinates. Some may
// be packed, and stand for the same doubles. 8 bytes per point.

#ifndef WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_
#define WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vptree/points/byte_grid.h"
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
  void Append(const double* rows, int32_t count) {
    AppendRows(rows, count, num_dimensions_);
  }
  // The same of packed points, whose grid must stay, too. One call at most has
  // others than doubles.
  void Append(const PackedRows& rows) {
    if (rows.floats.empty() && rows.grid == nullptr) {
      return Append(rows.doubles.data(), rows.num_points);
    }
    packed_begin_ = num_points();
    packed_end_ = packed_begin_ + rows.num_points;
    grid_ = rows.grid;
    if (grid_ != nullptr) {
      AppendRows(rows.bytes.data(), rows.num_points, grid_->row_bytes());
    } else {
      AppendRows(rows.floats.data(), rows.num_points, num_dimensions_);
    }
  }

  int32_t num_points() const { return static_cast<int32_t>(rows_.size()); }
  int32_t num_dimensions() const { return num_dimensions_; }
  // The row as doubles: as it lies, or in `room`, of num_dimensions().
  const double* Row(int32_t point, double* room) const {
    if (!IsPacked(point)) return static_cast<const double*>(rows_[point]);
    if (grid_ != nullptr) {
      grid_->FromBytes(static_cast<const uint8_t*>(rows_[point]), room);
    } else {
      std::copy_n(static_cast<const float*>(rows_[point]), num_dimensions_,
                  room);
    }
    return room;
  }
  // Whether there are rows of bytes, and on this grid.
  bool HasBytesOn(const ByteGrid& grid) const {
    return grid_ != nullptr && *grid_ == grid;
  }
  // The row of a point as bytes; null unless it is packed so.
  const uint8_t* Bytes(int32_t point) const {
    return IsPacked(point) && grid_ != nullptr
               ? static_cast<const uint8_t*>(rows_[point])
               : nullptr;
  }
  // Whether all of the points [begin, end) are packed.
  bool ArePacked(int32_t begin, int32_t end) const {
    return begin >= packed_begin_ && end <= packed_end_;
  }

 private:
  bool IsPacked(int32_t point) const {
    return point >= packed_begin_ && point < packed_end_;
  }
  template <typename T>
  void AppendRows(const T* rows, int32_t count, int64_t stride) {
    for (int32_t i = 0; i < count; ++i) rows_.push_back(rows + i * stride);
  }

  int32_t num_dimensions_;
  std::vector<const void*> rows_;
  // Those of [packed_begin_, packed_end_) are floats, or bytes on a grid.
  int32_t packed_begin_ = 0;
  int32_t packed_end_ = 0;
  const ByteGrid* grid_ = nullptr;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_POINT_ROWS_H_
