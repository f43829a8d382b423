// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The counts of a list join, also very large ones; cosine_graph_cpu_test.cc
// compares its graphs with the definition.

#include "graph/cosine/cpu/cosine_list_join.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CosineListJoinTest, CountsPairs) {
  EXPECT_EQ(SharedTermPairs({}), 0);
  EXPECT_EQ(SharedTermPairs({0, 1, 2, 5}), 11);
}

TEST(CosineListJoinTest, CountsMorePairsThanAnInt64Holds) {
  const int64_t most = INT32_MAX;
  const std::vector<int64_t> frequencies(100, most);
  const double expected =
      50.0 * static_cast<double>(most) * static_cast<double>(most - 1);
  EXPECT_GT(expected, static_cast<double>(INT64_MAX));
  EXPECT_NEAR(SharedTermPairs(frequencies), expected, expected * 1e-12);
}

TEST(CosineListJoinTest, FrequenciesOfNothing) {
  CosineRows rows;
  rows.offsets = {0};
  EXPECT_TRUE(RowFrequencies(rows).empty());
}

}  // namespace
}  // namespace warpclust
