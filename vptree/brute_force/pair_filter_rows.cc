// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/pair_filter_rows.h"

#include <algorithm>

#include "base/machine/resize_vector.h"

namespace warpclust {

void PairFilterRows::Reserve(int32_t num_own, int32_t num_positions,
                             int num_threads) {
  ResizeVector(num_own * row_bytes(), num_threads, &own_);
  next_ = own_.data();
  at_.reserve(num_positions);
}

void PairFilterRows::Add(const uint8_t* elsewhere) {
  at_.push_back(elsewhere != nullptr ? elsewhere : next_);
  if (elsewhere == nullptr) next_ += row_bytes();
}

void PairFilterRows::SquaredDistances(const PairTileKernels& kernels,
                                      int32_t position, const int32_t* others,
                                      float* sums) const {
  if (!grid_.has_value()) {
    const float* ys[4];
    for (int j = 0; j < 4; ++j) {
      ys[j] = reinterpret_cast<const float*>(at_[others[j]]);
    }
    kernels.squared_distances(reinterpret_cast<const float*>(at_[position]), ys,
                              length_, sums);
    return;
  }
  const uint8_t* ys[4];
  for (int j = 0; j < 4; ++j) ys[j] = at_[others[j]];
  uint32_t squares[4];
  ByteSquares(kernels, at_[position], ys, squares);
  const double step = grid_->step() * scale_;
  const auto unit = static_cast<float>(step * step);
  for (int j = 0; j < 4; ++j) sums[j] = static_cast<float>(squares[j]) * unit;
}

void PairFilterRows::ByteSquares(const PairTileKernels& kernels,
                                 const uint8_t* x, const uint8_t* const* ys,
                                 uint32_t* squares) const {
  int32_t dots[4];
  kernels.byte_dots(x, ys, grid_->num_dimensions(), dots);
  const uint32_t first = grid_->SumsOf(x).first;
  for (int j = 0; j < 4; ++j) {
    squares[j] = first + grid_->SumsOf(ys[j]).second -
                 2 * static_cast<uint32_t>(dots[j]);
  }
}

// No operation of the key is rounded (distance_key.h): differences are
// multiples of the step, and sums of squares below 2^31 squares of it.
double PairFilterRows::Key(const PairTileKernels& kernels, int32_t position,
                           int32_t other) const {
  const uint8_t* const y = at_[other];
  const uint8_t* const ys[4] = {y, y, y, y};
  uint32_t squares[4];
  ByteSquares(kernels, at_[position], ys, squares);
  return grid_->step() * grid_->step() * squares[0];
}

}  // namespace warpclust
