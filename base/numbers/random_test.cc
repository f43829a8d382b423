// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/numbers/random.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/types/span.h"
#include "base/numbers/shuffle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The first outputs of the authors' splitmix64.c from state 1234567, as quoted
// in many ports.
TEST(RandomTest, SplitMixMatchesTheReference) {
  uint64_t state = 1234567;
  EXPECT_EQ(Random::SplitMix(&state), 6457827717110365317u);
  EXPECT_EQ(Random::SplitMix(&state), 3203168211198807973u);
  EXPECT_EQ(Random::SplitMix(&state), 9817491932198370423u);
}

TEST(RandomTest, SeedsAndStreamsDiffer) {
  Random a(1), b(1), c(2), d(1, 1);
  const uint64_t first = a.Next();
  EXPECT_EQ(first, b.Next());
  EXPECT_NE(first, c.Next());
  EXPECT_NE(first, d.Next());
}

// Pinned: generated files must not change between releases unnoticed.
TEST(RandomTest, NumbersArePinned) {
  Random random(1);
  EXPECT_EQ(random.Next(), 14971601782005023387u);
  EXPECT_EQ(random.Next(), 13781649495232077965u);
}

TEST(RandomTest, BelowIsUniform) {
  Random random(3);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[random.Below(7)];
  for (int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(random.Below(1), 0u);
}

TEST(RandomTest, MomentsOfUnitAndNormal) {
  Random random(4);
  double sum = 0, normal_sum = 0, normal_squares = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double u = random.Unit();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    const double z = random.Normal();
    ASSERT_LE(std::abs(z), 6);
    normal_sum += z;
    normal_squares += z * z;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.01);
  EXPECT_NEAR(normal_sum / n, 0, 0.02);
  EXPECT_NEAR(normal_squares / n, 1, 0.03);
}

TEST(RandomTest, ShuffledOrdersAreEquallyLikely) {
  Random random(5);
  std::map<std::vector<int>, int> times;
  for (int i = 0; i < 24000; ++i) {
    std::vector<int> values = {0, 1, 2, 3};
    Shuffle(absl::MakeSpan(values), &random);
    ++times[values];
  }
  EXPECT_EQ(times.size(), 24);
  for (const auto& [order, count] : times) EXPECT_NEAR(count, 1000, 150);
  Shuffle(absl::Span<int>(), &random);
}

}  // namespace
}  // namespace warpclust
