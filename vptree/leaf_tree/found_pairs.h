// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FoundPairs: the pairs that a search for joining pairs finds, without most of
// those that others of them make superfluous. Many points near the border of
// two basins have a pair of the same labels, and the one that joins them first
// is enough. One thread at a time.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_FOUND_PAIRS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_FOUND_PAIRS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace leaf_tree_internal {

class FoundPairs {
 public:
  FoundPairs() : cells_(kCells) {}

  // Adds a pair of points with these labels, which differ, unless one of the
  // same labels and a smaller rank is remembered.
  void Add(RankPair pair, int32_t label, int32_t other_label) {
    const uint64_t labels = static_cast<uint64_t>(std::min(label, other_label))
                                << 32 |
                            static_cast<uint64_t>(std::max(label, other_label));
    Cell& cell = cells_[labels * kMultiplier >> (64 - kCellBits)];
    if (cell.labels == labels && cell.rank < pair.rank) return;
    cell = {labels, pair.rank};
    pairs_.push_back(pair);
  }

  const std::vector<RankPair>& pairs() const { return pairs_; }

 private:
  // A cell remembers the last two labels that fell into it. 64 KiB in all.
  static constexpr int kCellBits = 12;
  static constexpr size_t kCells = size_t{1} << kCellBits;
  // 2^64 over the golden ratio.
  static constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  struct Cell {
    // 0 is no pair: the labels of a pair differ.
    uint64_t labels = 0;
    int32_t rank = 0;
  };
  std::vector<Cell> cells_;
  std::vector<RankPair> pairs_;
};

}  // namespace leaf_tree_internal
}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_FOUND_PAIRS_H_
