// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NumRows: how many rows so many offsets have, for all that is stored back to
// back. Thread-safety: pure.

#ifndef WARPCLUST_BASE_NUMBERS_NUM_ROWS_H_
#define WARPCLUST_BASE_NUMBERS_NUM_ROWS_H_

#include <cstddef>
#include <cstdint>

namespace warpclust {

// Right up to the most rows there can be, 2^31 - 1: their 2^31 offsets are more
// than an int32_t counts, so the one is taken off before the cast. -1 without
// offsets, as of a value that was moved from.
constexpr int32_t NumRows(size_t num_offsets) {
  return static_cast<int32_t>(num_offsets - 1);
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_NUM_ROWS_H_
