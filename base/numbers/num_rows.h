// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NumRows: the number of rows of a compressed layout, from its offsets.

#ifndef WARPCLUST_BASE_NUMBERS_NUM_ROWS_H_
#define WARPCLUST_BASE_NUMBERS_NUM_ROWS_H_

#include <cstddef>
#include <cstdint>

namespace warpclust {

// Correct up to 2^31 - 1 rows: their 2^31 offsets exceed an int32_t, so the 1
// is subtracted before the cast. -1 without offsets, as of a moved-from value.
constexpr int32_t NumRows(size_t num_offsets) {
  return static_cast<int32_t>(num_offsets - 1);
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_NUMBERS_NUM_ROWS_H_
