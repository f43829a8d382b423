// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CountSink: counts the pairs of each point, for VisitTilesWithin.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_COUNT_SINK_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_COUNT_SINK_H_

#include <cstdint>
#include <utility>

#include "vptree/brute_force/pair_tile_kernels.h"

namespace warpclust {

// By position.
class CountSink {
 public:
  explicit CountSink(int32_t* counts) : counts_(counts) {}

  bool Wants(int32_t, int32_t) const { return true; }
  uint32_t WantedColumns(int32_t, int32_t) const { return ~uint32_t{0}; }

  void AddTiles(int32_t row_begin, int32_t row_end, int32_t column_begin,
                int32_t column_end) {
    const bool same = row_begin == column_begin;
    const int32_t of_rows = column_end - column_begin - (same ? 1 : 0);
    for (int32_t i = row_begin; i < row_end; ++i) counts_[i] += of_rows;
    if (same) return;
    for (int32_t j = column_begin; j < column_end; ++j) {
      counts_[j] += row_end - row_begin;
    }
  }

  void AddMasks(int32_t row_panel, int32_t column_panel, uint32_t* masks) {
    int32_t* rows = counts_ + row_panel * kPanelPoints;
    int32_t* columns = counts_ + column_panel * kPanelPoints;
    int total = 0;
    for (int i = 0; i < kPanelPoints; ++i) {
      if (masks[i] == 0) continue;
      const int count = __builtin_popcount(masks[i]);
      rows[i] += count;
      total += count;
    }
    if (total > 2 * kPanelPoints) {
      Transpose(masks);
      for (int j = 0; j < kPanelPoints; ++j) {
        columns[j] += __builtin_popcount(masks[j]);
      }
      return;
    }
    for (int i = 0; i < kPanelPoints; ++i) {
      for (uint32_t bits = masks[i]; bits != 0; bits &= bits - 1) {
        ++columns[__builtin_ctz(bits)];
      }
    }
  }

 private:
  // Transposes a 32 x 32 matrix of bits by swapping smaller and smaller blocks
  // off the diagonal.
  static void Transpose(uint32_t* masks) {
    uint32_t low = 0x0000ffffu;
    for (int size = 16; size != 0; size >>= 1, low ^= low << size) {
      for (int i = 0; i < kPanelPoints; i = (i + size + 1) & ~size) {
        const uint32_t swapped = ((masks[i] >> size) ^ masks[i + size]) & low;
        masks[i + size] ^= swapped;
        masks[i] ^= swapped << size;
      }
    }
  }

  int32_t* counts_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_COUNT_SINK_H_
