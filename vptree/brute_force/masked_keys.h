// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The exact keys of the pairs that VisitTilesWithin finds, for sinks that want
// them.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_MASKED_KEYS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_MASKED_KEYS_H_

#include <cstdint>

#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/brute_force_within.h"
#include "vptree/brute_force/pair_tile_kernels.h"

namespace warpclust {

// Calls visit(a, b, masks) for the panels of two ranges of positions that begin
// with tiles, with all their pairs; in the diagonal each pair once.
template <class Visit>
void VisitPanels(const BruteForcePairs& pairs, int32_t row_begin,
                 int32_t row_end, int32_t column_begin, int32_t column_end,
                 const Visit& visit) {
  uint32_t masks[kPanelPoints];
  for (int32_t b = column_begin / kPanelPoints; b * kPanelPoints < column_end;
       ++b) {
    for (int32_t a = row_begin / kPanelPoints;
         a * kPanelPoints < row_end && a <= b; ++a) {
      for (int i = 0; i < kPanelPoints; ++i) {
        masks[i] = i < pairs.PanelSize(a)
                       ? PairColumns(a, b, i, pairs.PanelSize(b))
                       : 0;
      }
      visit(a, b, masks);
    }
  }
}

// Calls take(i, j, key) for each pair in `masks`: row i and column j of the
// panels.
template <class Take>
void VisitMaskedKeys(const BruteForcePairs& pairs,
                     const PairTileKernels& kernels, int32_t row_panel,
                     int32_t column_panel, const uint32_t* masks,
                     PairScratch* scratch, const Take& take) {
  // Fewer pairs are not worth the keys of all.
  constexpr int kFewPairs = 64;
  int num_pairs = 0;
  for (int i = 0; i < kPanelPoints; ++i) {
    num_pairs += __builtin_popcount(masks[i]);
  }
  const bool few = num_pairs < kFewPairs;
  if (!few) pairs.Keys(row_panel, column_panel, kernels, scratch);
  for (int i = 0; i < kPanelPoints; ++i) {
    for (uint32_t bits = masks[i]; bits != 0; bits &= bits - 1) {
      const int j = __builtin_ctz(bits);
      take(i, j,
           few ? pairs.Key(row_panel * kPanelPoints + i,
                           column_panel * kPanelPoints + j, kernels)
               : scratch->keys[i * kPanelPoints + j]);
    }
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_MASKED_KEYS_H_
