// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PairParts: which pairs of points count: all, or those of a point of the first
// part and one of the others, where the filter keeps the first part before the
// others (pair_filter.h).

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_PARTS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_PARTS_H_

#include <cstdint>

#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/tile_boxes.h"

namespace warpclust {

// The base of a Sink (brute_force_within.h), with two of its functions, and one
// for its masks.
class PairParts {
 public:
  static PairParts All() { return PairParts(/*are_all=*/true, 0); }
  static PairParts Between(int32_t first_part) {
    return PairParts(/*are_all=*/false, first_part);
  }

  bool are_all() const { return are_all_; }
  // 0 if all pairs count.
  int32_t first_part() const { return first_part_; }

  bool Wants(int32_t row_panel, int32_t column_panel) const {
    return are_all_ || (row_panel * kPanelPoints < first_part_ &&
                        (column_panel + 1) * kPanelPoints > first_part_);
  }
  // Of panels that it wants.
  uint32_t WantedColumns(int32_t row, int32_t column_panel) const {
    if (are_all_) return ~uint32_t{0};
    if (row >= first_part_) return 0;
    const int32_t before = first_part_ - column_panel * kPanelPoints;
    return before <= 0 ? ~uint32_t{0} : ~uint32_t{0} << before;
  }
  // Leaves the pairs that count in the masks of such panels.
  void Restrict(int32_t row_panel, int32_t column_panel,
                uint32_t* masks) const {
    if (are_all_ || ((row_panel + 1) * kPanelPoints <= first_part_ &&
                     column_panel * kPanelPoints >= first_part_)) {
      return;
    }
    for (int i = 0; i < kPanelPoints; ++i) {
      masks[i] &= WantedColumns(row_panel * kPanelPoints + i, column_panel);
    }
  }

  // The tiles of rows of VisitPartsWithin, and the first tile of columns for
  // one of them. A tile in the middle may have points of both parts.
  int32_t NumRowTiles(int32_t num_tiles) const {
    return are_all_ ? num_tiles
                    : (first_part_ + kFilterTilePoints - 1) / kFilterTilePoints;
  }
  int32_t FirstColumnTile(int32_t row_tile) const {
    return are_all_ ? row_tile : first_part_ / kFilterTilePoints;
  }

 private:
  PairParts(bool are_all, int32_t first_part)
      : are_all_(are_all), first_part_(first_part) {}

  bool are_all_;
  int32_t first_part_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_PARTS_H_
