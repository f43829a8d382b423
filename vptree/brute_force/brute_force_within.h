// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// VisitTilesWithin: finds, exactly, the pairs of points of two tiles within a
// radius. A Sink consumes them:
//
//   bool Wants(row_panel, column_panel)         whether to visit these panels
//   uint32_t WantedColumns(row, column_panel)   the pairs of interest
//   void AddTiles(row_begin, row_end, column_begin, column_end)
//       all pairs of these positions; of each other if the ranges are the same
//   void AddMasks(row_panel, column_panel, masks)
//       pairs, as a mask of columns per row, which it may change
//
// Each unordered pair is reported once.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_WITHIN_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_WITHIN_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/tile_boxes.h"

namespace warpclust {

// If a panel pair leaves more pairs than this undecided, computing all keys of
// the panels is cheaper.
inline constexpr int kMostUndecidedPairs = kPanelPoints * kPanelPoints / 16;

// Returns the columns that make pairs with a row: those that exist and, in the
// diagonal, follow the row.
inline uint32_t PairColumns(int32_t row_panel, int32_t column_panel, int row,
                            int column_size) {
  uint32_t columns =
      column_size == kPanelPoints ? ~uint32_t{0} : (1u << column_size) - 1;
  if (row_panel == column_panel) {
    columns &= row + 1 == kPanelPoints ? 0 : ~uint32_t{0} << (row + 1);
  }
  return columns;
}

// Sets sums[j] to the squared distance between `row` and the j-th of the first
// four columns in `bits`, by PairFilterRows. Sums without a column are
// undefined.
inline void SquaredDistancesOfBits(const PairFilter& filter,
                                   const PairTileKernels& kernels, int32_t row,
                                   int32_t column_panel, uint32_t bits,
                                   float* sums) {
  int32_t columns[4];
  int32_t last = row;
  for (int32_t& column : columns) {
    if (bits != 0) {
      last = column_panel * kPanelPoints + __builtin_ctz(bits);
      bits &= bits - 1;
    }
    column = last;
  }
  filter.rows().SquaredDistances(kernels, row, columns, sums);
}

// Decides the undecided pairs of one row and returns those within the radius.
// Adds the number of exact keys computed to *num_keys.
inline uint32_t DecideUndecided(
    const BruteForcePairs& pairs, const BruteForcePairs::Radius& radius,
    const BruteForcePairs::TileThresholds& thresholds,
    const PairTileKernels& kernels, int32_t row, int32_t column_panel,
    uint32_t undecided, int* num_keys) {
  uint32_t within = 0;
  const int32_t columns = column_panel * kPanelPoints;
  if (!radius.view.whole) {
    uint32_t still_undecided = 0;
    while (undecided != 0) {
      float sums[4];
      SquaredDistancesOfBits(pairs.filter(), kernels, row, column_panel,
                             undecided, sums);
      for (int j = 0; j < 4 && undecided != 0; ++j) {
        const uint32_t bit = undecided & -undecided;
        undecided ^= bit;
        if (sums[j] < thresholds.sum_inside) {
          within |= bit;
        } else if (sums[j] < thresholds.sum_reach) {
          still_undecided |= bit;
        }
      }
    }
    undecided = still_undecided;
  }
  for (; undecided != 0; undecided &= undecided - 1) {
    ++*num_keys;
    const int column = __builtin_ctz(undecided);
    if (pairs.Key(row, columns + column, kernels) < radius.key) {
      within |= 1u << column;
    }
  }
  return within;
}

// Finds the pairs of two panels within the radius by their exact keys.
inline bool WithinByKeys(const BruteForcePairs& pairs, double radius_key,
                         const PairTileKernels& kernels, int32_t row_panel,
                         int32_t column_panel, PairScratch* scratch,
                         uint32_t* masks) {
  pairs.Keys(row_panel, column_panel, kernels, scratch);
  // key < radius is key <= the double before it; no key is below 0.
  double row_bounds[kPanelPoints];
  double column_bounds[kPanelPoints];
  const int row_size = pairs.PanelSize(row_panel);
  const double before = std::nextafter(radius_key, 0.0);
  for (int i = 0; i < kPanelPoints; ++i) {
    row_bounds[i] = i < row_size ? before : -1.0;
    column_bounds[i] = -1.0;
  }
  return kernels.select_keys(scratch->keys.data(), row_bounds, column_bounds,
                             masks);
}

template <class Sink>
void VisitTilePairWithin(const BruteForcePairs& pairs,
                         const BruteForcePairs::Radius& radius,
                         const PairTileKernels& kernels, int32_t row_tile,
                         int32_t column_tile, PairScratch* scratch,
                         Sink* sink) {
  const PairFilter& filter = pairs.filter();
  BruteForcePairs::TileThresholds thresholds;
  bool by_keys = !filter.usable();
  if (!by_keys) thresholds = pairs.Thresholds(radius, row_tile, column_tile);
  uint32_t maybe[kPanelPoints];
  uint32_t certain[kPanelPoints];
  const int32_t column_end = pairs.FirstPanel(column_tile + 1);
  const int32_t row_end = pairs.FirstPanel(row_tile + 1);
  for (int32_t b = pairs.FirstPanel(column_tile); b < column_end; ++b) {
    const int column_size = pairs.PanelSize(b);
    for (int32_t a = pairs.FirstPanel(row_tile); a < row_end && a <= b; ++a) {
      if (!sink->Wants(a, b)) continue;
      scratch->evaluations += kPanelPoints * kPanelPoints;
      bool found = false;
      if (!by_keys) {
        found = kernels.find_within(
            filter.Panel(radius.view, a), filter.Panel(radius.view, b),
            radius.view.num_dimensions, thresholds.reach, thresholds.inside,
            maybe, certain);
        if (!found) continue;
        int num_undecided = 0;
        for (int i = 0; i < kPanelPoints; ++i) {
          if (maybe[i] == 0) continue;
          const uint32_t columns = PairColumns(a, b, i, column_size) &
                                   sink->WantedColumns(a * kPanelPoints + i, b);
          certain[i] &= columns;
          maybe[i] &= columns & ~certain[i];
          num_undecided += __builtin_popcount(maybe[i]);
        }
        by_keys = radius.view.whole && num_undecided > kMostUndecidedPairs;
      }
      if (by_keys) {
        found =
            WithinByKeys(pairs, radius.key, kernels, a, b, scratch, certain);
        for (int i = 0; found && i < kPanelPoints; ++i) {
          certain[i] &= PairColumns(a, b, i, column_size);
        }
      } else {
        int num_keys = 0;
        for (int i = 0; i < kPanelPoints; ++i) {
          if (maybe[i] == 0) continue;
          certain[i] |=
              DecideUndecided(pairs, radius, thresholds, kernels,
                              a * kPanelPoints + i, b, maybe[i], &num_keys);
        }
        by_keys = num_keys > kMostUndecidedPairs;
      }
      if (found) sink->AddMasks(a, b, certain);
    }
  }
}

// Visits the tiles [begin, end) with row_tile; begin >= row_tile.
template <class Sink>
void VisitTilesWithin(const BruteForcePairs& pairs,
                      const BruteForcePairs::Radius& radius,
                      const PairTileKernels& kernels, int32_t row_tile,
                      int32_t begin, int32_t end, PairScratch* scratch,
                      Sink* sink) {
  pairs.BoundTiles(row_tile, begin, end, scratch->lower.data(),
                   scratch->upper.data());
  scratch->evaluations += end - begin;
  const int32_t n = pairs.filter().num_points();
  for (int32_t tile = begin; tile < end; ++tile) {
    if (scratch->lower[tile - begin] >= radius.scaled_key) continue;
    if (scratch->upper[tile - begin] < radius.scaled_key) {
      sink->AddTiles(row_tile * kFilterTilePoints,
                     std::min(n, (row_tile + 1) * kFilterTilePoints),
                     tile * kFilterTilePoints,
                     std::min(n, (tile + 1) * kFilterTilePoints));
      continue;
    }
    VisitTilePairWithin(pairs, radius, kernels, row_tile, tile, scratch, sink);
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_WITHIN_H_
