// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PairFilterRows: what a PairFilter has of each point to compare it with others
// one by one: all coordinates as floats, or as bytes if the points lie on a
// grid of 8 bits (byte_grid.h). Rows have positions; some may lie elsewhere,
// such as those of other PairFilterRows of the same kind, which then outlive
// these.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_FILTER_ROWS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_FILTER_ROWS_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/machine/aligned_buffer.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/points/byte_grid.h"

namespace warpclust {

class PairFilterRows {
 public:
  PairFilterRows() = default;
  // Of bytes if there is a grid. Distances are those of floats `scale` times as
  // large as the points; it is a power of two.
  PairFilterRows(int32_t num_dimensions, double scale,
                 std::optional<ByteGrid> grid)
      : scale_(scale),
        grid_(std::move(grid)),
        length_((num_dimensions + 15) / 16 * 16) {}

  bool empty() const { return at_.empty(); }
  const std::optional<ByteGrid>& grid() const { return grid_; }
  // Floats of a row, of which squared distances are sums.
  int length() const { return length_; }

  // Makes room for `num_own` rows. Then each position in turn gets a row that
  // lies elsewhere, or one of them for null.
  void Reserve(int32_t num_own, int32_t num_positions, int num_threads);
  void Add(const uint8_t* elsewhere);
  // Where the row of a position lies.
  const uint8_t* Row(int32_t position) const { return at_[position]; }

  bool IsOwn(int32_t position) const {
    return at_[position] >= own_.data() &&
           at_[position] < own_.data() + own_.size();
  }
  // Where an own row of floats is to be written.
  float* Floats(int32_t position) {
    return reinterpret_cast<float*>(Own(position));
  }
  void SetBytes(int32_t position, const double* row) {
    grid_->ToBytes(row, Own(position));
  }
  // Sets sums[j] to the squared distance of `position` and others[j], for 4 of
  // them: of floats with an error (PairFilter::RootShare); of bytes rounded to
  // float.
  void SquaredDistances(const PairTileKernels& kernels, int32_t position,
                        const int32_t* others, float* sums) const;
  // The distance key, exactly. Of bytes only.
  double Key(const PairTileKernels& kernels, int32_t position,
             int32_t other) const;

 private:
  uint8_t* Own(int32_t position) {
    return own_.data() + (at_[position] - own_.data());
  }
  int64_t row_bytes() const {
    return grid_.has_value() ? grid_->row_bytes()
                             : length_ * int64_t{sizeof(float)};
  }
  void ByteSquares(const PairTileKernels& kernels, const uint8_t* x,
                   const uint8_t* const* ys, uint32_t* squares) const;

  double scale_ = 1;
  std::optional<ByteGrid> grid_;
  int length_ = 0;
  AlignedVector<uint8_t> own_;
  const uint8_t* next_ = nullptr;
  std::vector<const uint8_t*> at_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_FILTER_ROWS_H_
