// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/chain_ends.h"

#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "base/numbers/random.h"
#include "base/numbers/shuffle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// One step at a time.
std::vector<int32_t> NaiveEnds(const std::vector<int32_t>& next) {
  std::vector<int32_t> ends(next.size());
  std::iota(ends.begin(), ends.end(), 0);
  for (int32_t& end : ends) {
    while (next[end] != end) end = next[end];
  }
  return ends;
}

void ExpectEnds(const std::vector<int32_t>& next) {
  const std::vector<int32_t> expected = NaiveEnds(next);
  for (const int threads : {1, 2, 7}) {
    std::vector<int32_t> ends = next;
    internal::FindChainEnds(threads, absl::MakeSpan(ends));
    EXPECT_EQ(ends, expected) << threads << " threads";
  }
}

TEST(ChainEndsTest, FewPoints) {
  ExpectEnds({});
  ExpectEnds({0});
  ExpectEnds({0, 0, 1, 3, 2, 3});
}

TEST(ChainEndsTest, OneLongChain) {
  constexpr int32_t kPoints = 3000;
  std::vector<int32_t> down(kPoints), up(kPoints);
  for (int32_t i = 0; i < kPoints; ++i) {
    down[i] = i == 0 ? 0 : i - 1;
    up[i] = i == kPoints - 1 ? i : i + 1;
  }
  ExpectEnds(down);
  ExpectEnds(up);
}

TEST(ChainEndsTest, RandomForests) {
  Random random(1);
  for (const int32_t n : {100, 1000, 200000}) {
    // Points in a random order; each is followed by one before it.
    std::vector<int32_t> order(n), next(n);
    std::iota(order.begin(), order.end(), 0);
    Shuffle(absl::MakeSpan(order), &random);
    for (int32_t k = 0; k < n; ++k) {
      const bool ends = k == 0 || random.Below(50) == 0;
      const int32_t near = k < 20 ? k : 20;
      next[order[k]] = ends ? order[k] : order[k - 1 - random.Below(near)];
    }
    // Naive steps are many in long chains.
    std::vector<int32_t> expected(n);
    for (int32_t k = 0; k < n; ++k) {
      const int32_t point = order[k];
      expected[point] = next[point] == point ? point : expected[next[point]];
    }
    std::vector<int32_t> ends_by_order, places(n);
    for (const int32_t point : order) {
      if (next[point] != point) continue;
      places[point] = static_cast<int32_t>(ends_by_order.size());
      ends_by_order.push_back(point);
    }
    for (int32_t i = 0; i < n; ++i) places[i] = places[expected[i]];
    for (const int threads : {1, 2, 7}) {
      std::vector<int32_t> ends = next;
      internal::FindChainEnds(threads, absl::MakeSpan(ends));
      EXPECT_EQ(ends, expected) << n << " points, " << threads << " threads";
      EXPECT_EQ(internal::PlacesOfEnds(next, ends_by_order, threads), places)
          << n << " points, " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace warpclust
