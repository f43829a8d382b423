// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Against labels of the groups, changed one by one at each join.

#include "vptree/points/label_forest.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(LabelForestTest, EqualsRelabeling) {
  int64_t never = 0, joined = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto n = static_cast<int32_t>(1 + random() % 20);
    LabelForest forest(n);
    // Joins that are undone leave no trace.
    for (uint64_t joins = random() % 30; joins > 0; --joins) {
      forest.Join(static_cast<int32_t>(random() % n),
                  static_cast<int32_t>(random() % n), 0);
    }
    forest.Separate();
    std::vector<int32_t> groups(n);
    for (int32_t label = 0; label < n; ++label) groups[label] = label;
    // By pair of labels: the level at which they met.
    std::vector<int32_t> levels(n * n, LabelForest::kNever);
    for (int32_t label = 0; label < n; ++label) levels[label * n + label] = -1;
    int32_t level = 0;
    for (uint64_t joins = random() % 30; joins > 0; --joins) {
      level += static_cast<int32_t>(random() % 3);
      const auto a = static_cast<int32_t>(random() % n);
      const auto b = static_cast<int32_t>(random() % n);
      ASSERT_EQ(forest.Join(a, b, level), groups[a] != groups[b]);
      const int32_t group_a = groups[a];
      const int32_t group_b = groups[b];
      if (group_a == group_b) continue;
      for (int32_t x = 0; x < n; ++x) {
        for (int32_t y = 0; y < n; ++y) {
          if (groups[x] == group_a && groups[y] == group_b) {
            levels[x * n + y] = levels[y * n + x] = level;
          }
        }
      }
      std::replace(groups.begin(), groups.end(), group_b, group_a);
    }
    for (int32_t x = 0; x < n; ++x) {
      for (int32_t y = 0; y < n; ++y) {
        const int32_t met = levels[x * n + y];
        ++(met == LabelForest::kNever ? never : joined);
        ASSERT_EQ(forest.LevelOf(x, y), met);
        for (int32_t below = 0; below <= level + 1; ++below) {
          ASSERT_EQ(forest.RootBelow(x, below) == forest.RootBelow(y, below),
                    met < below);
        }
      }
    }
  }
  EXPECT_GT(never, 1000);
  EXPECT_GT(joined, 1000);
}

}  // namespace
}  // namespace warpclust
