// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/ranks.h"

#include <algorithm>
#include <numeric>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(RanksTest, EqualsASort) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int32_t n = static_cast<int32_t>(random.Below(100));
    const uint64_t bound = 1 + (n > 0 ? random.Below(n) : 0);
    std::vector<int32_t> densities(n);
    for (int32_t& density : densities) {
      density = static_cast<int32_t>(random.Below(bound));
    }
    std::vector<int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return densities[a] > densities[b];
    });
    const DensityRanks result = RanksOfDensities(densities);
    EXPECT_EQ(result.order, order);
    for (int32_t rank = 0; rank < n; ++rank) {
      EXPECT_EQ(result.ranks[order[rank]], rank);
    }
  }
}

TEST(RanksTest, ManyPointsOnAnyThreads) {
  for (const uint64_t bound : {1, 50, 70000, 200000}) {
    SCOPED_TRACE(testing::Message() << "densities below " << bound);
    Random random(bound);
    std::vector<int32_t> densities(200000);
    for (int32_t& density : densities) {
      density = static_cast<int32_t>(random.Below(bound));
    }
    std::vector<int32_t> starts, expected;
    RankByDensity(densities, &starts, &expected);
    for (const int threads : {1, 2, 7}) {
      const DensityRanks result = RanksOfDensities(densities, threads);
      EXPECT_EQ(result.ranks, expected) << threads << " threads";
      for (size_t i = 0; i < densities.size(); ++i) {
        ASSERT_EQ(result.order[expected[i]], static_cast<int32_t>(i));
      }
    }
  }
}

TEST(RanksTest, NoPoints) {
  const DensityRanks result = RanksOfDensities({});
  EXPECT_TRUE(result.ranks.empty());
  EXPECT_TRUE(result.order.empty());
}

}  // namespace
}  // namespace warpclust
