// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/synthetic/zipf_sampler.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ZipfSamplerTest, FrequenciesFollowTheLaw) {
  for (int size : {1, 2, 7, 100}) {
    for (int offset : {0, 3}) {
      const ZipfSampler sampler(size, offset);
      Random random(11);
      const int draws = 200000;
      std::vector<int> counts(size);
      for (int i = 0; i < draws; ++i) ++counts[sampler.Sample(&random)];
      double total = 0;
      for (int r = 0; r < size; ++r) total += 1.0 / (1 + r + offset);
      for (int r = 0; r < size; ++r) {
        const double expected = draws / (1.0 + r + offset) / total;
        EXPECT_NEAR(counts[r], expected, 6 * std::sqrt(expected) + 1)
            << "size " << size << " offset " << offset << " rank " << r;
      }
    }
  }
}

TEST(ZipfSamplerTest, LargeVocabulary) {
  const ZipfSampler sampler(1000000, 10);
  EXPECT_EQ(sampler.size(), 1000000);
  Random random(5);
  int last_half = 0;
  for (int i = 0; i < 100000; ++i) {
    const int rank = sampler.Sample(&random);
    ASSERT_GE(rank, 0);
    ASSERT_LT(rank, 1000000);
    last_half += rank >= 500000;
  }
  // ln 2 / ln(1000000 / 10.5) of the mass.
  EXPECT_NEAR(last_half, 6046, 400);
}

}  // namespace
}  // namespace warpclust
