// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random operations against a map of maps that keeps the same entries.

#include "sparse/term_lists/dynamic_term_lists.h"

#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(DynamicTermListsTest, StartsEmpty) {
  DynamicTermLists lists;
  EXPECT_EQ(lists.num_terms(), 0);
  EXPECT_EQ(lists.num_entries(), 0);
  lists.ReserveTerms(3);
  EXPECT_EQ(lists.num_terms(), 3);
  lists.ReserveTerms(1);
  EXPECT_EQ(lists.num_terms(), 3);
  EXPECT_TRUE(lists[2].empty());
}

TEST(DynamicTermListsTest, TheLastEntryMovesIntoTheGap) {
  DynamicTermLists lists;
  lists.ReserveTerms(1);
  for (int32_t row = 0; row < 4; ++row) {
    EXPECT_EQ(lists.Insert(0, 10 + row, 100 + row), row);
  }
  EXPECT_EQ(lists.Remove(0, 1), 13);
  EXPECT_EQ(lists[0][1].row, 13);
  EXPECT_EQ(lists[0][1].weight, 103);
  EXPECT_EQ(lists.Remove(0, 2), DynamicTermLists::kNoRow);
  ASSERT_EQ(lists[0].size(), 2u);
  EXPECT_EQ(lists[0][0].row, 10);
  lists.Clear(0);
  EXPECT_TRUE(lists[0].empty());
  EXPECT_EQ(lists.num_entries(), 0);
}

TEST(DynamicTermListsTest, TermsNearTheEndCostNothingForThoseBefore) {
  constexpr int32_t kLast = std::numeric_limits<int32_t>::max() - 1;
  DynamicTermLists lists;
  lists.ReserveTerms(kLast + 1);
  EXPECT_EQ(lists.num_terms(), kLast + 1);
  EXPECT_TRUE(lists[kLast].empty());
  for (const int32_t term :
       {kLast, DynamicTermLists::kFarTerms, DynamicTermLists::kFarTerms - 1}) {
    EXPECT_EQ(lists.Insert(term, 1, 10), 0);
    EXPECT_EQ(lists.Insert(term, 2, 20), 1);
    lists.SetWeight(term, 1, 30);
    EXPECT_EQ(lists.Remove(term, 0), 2);
    ASSERT_EQ(lists[term].size(), 1u);
    EXPECT_EQ(lists[term][0].row, 2);
    EXPECT_EQ(lists[term][0].weight, 30);
  }
  EXPECT_EQ(lists.num_lists(), 3);
  lists.Clear(kLast);
  EXPECT_TRUE(lists[kLast].empty());
  EXPECT_EQ(lists.num_lists(), 2);
}

TEST(DynamicTermListsTest, KeepsWhatAMapKeeps) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto terms = static_cast<int32_t>(1 + random.Below(8));
    const uint64_t rows = 1 + random.Below(60);
    DynamicTermLists lists;
    lists.ReserveTerms(terms);
    // What owners keep, by term and row: where it stands, and the weight.
    std::vector<std::map<int32_t, std::pair<int32_t, int32_t>>> naive(terms);
    for (int step = 0; step < 2000; ++step) {
      const auto term = static_cast<int32_t>(random.Below(terms));
      const auto row = static_cast<int32_t>(random.Below(rows));
      const auto weight = static_cast<int32_t>(1 + random.Below(1 << 30));
      auto& list = naive[term];
      const auto known = list.find(row);
      if (random.Below(300) == 0) {
        lists.Clear(term);
        list.clear();
      } else if (known == list.end()) {
        list[row] = {lists.Insert(term, row, weight), weight};
      } else if (random.Below(3) == 0) {
        lists.SetWeight(term, known->second.first, weight);
        known->second.second = weight;
      } else {
        const int32_t position = known->second.first;
        list.erase(known);
        const int32_t moved = lists.Remove(term, position);
        if (moved != DynamicTermLists::kNoRow) {
          ASSERT_EQ(list.count(moved), 1u);
          list[moved].first = position;
        }
      }
      ASSERT_EQ(lists[term].size(), list.size());
      for (const auto& [owner, entry] : list) {
        ASSERT_EQ(lists[term][entry.first].row, owner);
        ASSERT_EQ(lists[term][entry.first].weight, entry.second);
      }
      if (step % 100 != 0) continue;
      size_t entries = 0;
      size_t not_empty = 0;
      for (const auto& any : naive) {
        entries += any.size();
        not_empty += any.empty() ? 0 : 1;
      }
      ASSERT_EQ(lists.num_lists(), static_cast<int64_t>(not_empty));
      ASSERT_EQ(lists.num_entries(), static_cast<int64_t>(entries));
    }
  }
}

}  // namespace
}  // namespace warpclust
