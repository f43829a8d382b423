// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ByteGrid: points that 8 bits a coordinate hold exactly, such as images.
// Coordinate k of each is step * (low[k] + u), u an integer of 0 to 255, and
// the step a power of two. A squared distance is then the square of the step
// times an integer: exact, and an eighth of the memory of doubles is read for
// it.

#ifndef WARPCLUST_VPTREE_POINTS_BYTE_GRID_H_
#define WARPCLUST_VPTREE_POINTS_BYTE_GRID_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"

namespace warpclust {

class ByteGrid {
 public:
  // With more, the integer may have more than 31 bits.
  static constexpr int32_t kMostDimensions = 32768;

  // Returns the coordinates of a point: where they lie, or in `room`.
  using RowAt = absl::FunctionRef<const double*(int32_t point, double* room)>;

  // The grid of points, or nothing if they lie on none. One pass over them;
  // where there is no grid, the first few rows usually show it, and the pass
  // ends.
  static std::optional<ByteGrid> Find(int32_t num_points,
                                      int32_t num_dimensions, RowAt row,
                                      int num_threads);

  // Whether the points [begin, end) lie on it, too.
  bool Holds(int32_t begin, int32_t end, RowAt row, int num_threads) const;

  bool operator==(const ByteGrid& other) const {
    return step_ == other.step_ && low_ == other.low_;
  }

  int32_t num_dimensions() const { return static_cast<int32_t>(low_.size()); }
  double step() const { return step_; }
  // A row in memory: the bytes, zeros up to a multiple of 16 at least, and at
  // its end its sums. A multiple of 64.
  int32_t row_bytes() const {
    return ((num_dimensions() + 15) / 16 * 16 + int32_t{sizeof(Sums)} + 63) /
           64 * 64;
  }
  // Sets the row of a point that lies on the grid, where zeros are.
  void ToBytes(const double* row, uint8_t* bytes) const;
  // Its coordinates; 0 for -0.
  void FromBytes(const uint8_t* bytes, double* row) const;
  // The largest distance of a coordinate from `center`, for any bytes.
  double Largest(const std::vector<double>& center) const;

  // Of u, such that |u - v|^2 is first(u) + second(v) - 2 times the sum of
  // u (v - 128), modulo 2^32.
  struct Sums {
    uint32_t first = 0;
    uint32_t second = 0;
  };
  Sums SumsOf(const uint8_t* bytes) const {
    Sums sums;
    std::memcpy(&sums, bytes + row_bytes() - sizeof(sums), sizeof(sums));
    return sums;
  }

  // What another process makes the grid of.
  std::vector<double> Parts() const;
  static ByteGrid FromParts(const std::vector<double>& parts);

 private:
  double step_ = 1;
  // Integers.
  std::vector<double> low_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_BYTE_GRID_H_
