// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/found_pairs.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace leaf_tree_internal {
namespace {

TEST(FoundPairsTest, DropsLaterPairsOfTheSameLabels) {
  FoundPairs found;
  found.Add({5, 1}, 7, 8);
  found.Add({6, 0}, 7, 8);
  found.Add({9, 2}, 8, 7);
  EXPECT_EQ(found.pairs(), (std::vector<RankPair>{{5, 1}}));
}

TEST(FoundPairsTest, KeepsEarlierPairsAndThoseOfOtherLabels) {
  FoundPairs found;
  found.Add({5, 1}, 7, 8);
  found.Add({5, 0}, 7, 8);
  found.Add({4, 3}, 8, 7);
  found.Add({6, 0}, 7, 9);
  EXPECT_EQ(found.pairs(),
            (std::vector<RankPair>{{5, 1}, {5, 0}, {4, 3}, {6, 0}}));
}

// More labels than there is room for: the first pair of two labels is always
// among those kept.
TEST(FoundPairsTest, KeepsTheFirstOfAllLabels) {
  std::mt19937 random(1);
  FoundPairs found;
  std::map<std::pair<int32_t, int32_t>, int32_t> first;
  std::vector<std::pair<int32_t, int32_t>> by_rank;
  constexpr int32_t kPairs = 200000;
  for (int32_t k = 0; k < kPairs; ++k) {
    const auto label = static_cast<int32_t>(random() % 200);
    by_rank.emplace_back(label, 200 + static_cast<int32_t>(random() % 200));
  }
  std::vector<int32_t> ranks;
  for (int32_t rank = 1; rank <= kPairs; ++rank) ranks.push_back(rank);
  std::shuffle(ranks.begin(), ranks.end(), random);
  for (const int32_t rank : ranks) {
    const auto [label, other] = by_rank[rank - 1];
    found.Add({rank, 0}, label, other);
    const auto [at, is_new] = first.insert({by_rank[rank - 1], rank});
    at->second = std::min(at->second, rank);
  }
  std::map<std::pair<int32_t, int32_t>, int32_t> kept;
  for (const RankPair& pair : found.pairs()) {
    const auto [at, is_new] = kept.insert({by_rank[pair.rank - 1], pair.rank});
    at->second = std::min(at->second, pair.rank);
  }
  EXPECT_EQ(kept, first);
  EXPECT_LT(found.pairs().size(), size_t{kPairs});
}

}  // namespace
}  // namespace leaf_tree_internal
}  // namespace warpclust
