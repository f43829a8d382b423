// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/cluster_stability.h"

#include <cstdint>
#include <vector>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ClusterStabilityTest, IsTheMeanJaccardSimilarity) {
  Random random(1);
  for (int32_t n = 1; n < 40; ++n) {
    SCOPED_TRACE(n);
    std::vector<std::vector<int32_t>> all(4);
    const uint64_t num_labels = 1 + random.Below(n);
    for (std::vector<int32_t>& labels : all) {
      for (int32_t v = 0; v < n; ++v) {
        labels.push_back(static_cast<int32_t>(random.Below(num_labels)));
      }
    }
    const std::vector<double> stability =
        ClusterStability(all[0], {all[1], all[2], all[3]});
    for (int32_t v = 0; v < n; ++v) {
      double sum = 0;
      for (int k = 1; k < 4; ++k) {
        int both = 0;
        int either = 0;
        for (int32_t u = 0; u < n; ++u) {
          const bool here = all[0][u] == all[0][v];
          const bool there = all[k][u] == all[k][v];
          both += here && there;
          either += here || there;
        }
        sum += static_cast<double>(both) / either;
      }
      EXPECT_DOUBLE_EQ(stability[v], sum / 3);
    }
  }
}

TEST(ClusterStabilityTest, NumbersOfClustersDoNotMatter) {
  EXPECT_EQ(ClusterStability({0, 0, 1}, {{2, 2, 0}}),
            (std::vector<double>{1, 1, 1}));
  EXPECT_TRUE(ClusterStability({}, {{}}).empty());
}

}  // namespace
}  // namespace warpclust
