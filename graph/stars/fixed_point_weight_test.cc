// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/fixed_point_weight.h"

#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(FixedPointWeightTest, CosinesHaveOneExactScale) {
  for (const float largest : {0.0f, 0.004f, 0.25f, 0.7f, 1.0f}) {
    EXPECT_EQ(MakeFixedPointScale(largest).factor, 2147483648.0);
  }
  const FixedPointScale scale = MakeFixedPointScale(1.0f);
  EXPECT_EQ(scale.ToInteger(1.0f), 1u << 31);
  EXPECT_EQ(scale.ToInteger(0.25f), 1u << 29);
  EXPECT_EQ(scale.ToInteger(0.0f), 0);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> weights(1.0f / 256, 1.0f);
  for (int i = 0; i < 100000; ++i) {
    const float weight = weights(random);
    EXPECT_EQ(std::ldexp(static_cast<double>(scale.ToInteger(weight)), -31),
              weight);
  }
}

TEST(FixedPointWeightTest, IntegersStayBelowTwoToThe32) {
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t bits = random() & 0x7fffffffu;
    float largest;
    std::memcpy(&largest, &bits, sizeof(largest));
    if (!std::isfinite(largest)) continue;
    const FixedPointScale scale = MakeFixedPointScale(largest);
    const uint64_t integer = scale.ToInteger(largest);
    EXPECT_LT(integer, uint64_t{1} << 32) << largest;
    if (largest > 1.0f || largest < 1.0f / 256) {
      EXPECT_EQ(integer >> 31, largest > 0.0f) << largest;
    }
    // Nearest integer, half to even.
    const float smaller = largest / (1 + random() % 1000);
    EXPECT_EQ(static_cast<double>(scale.ToInteger(smaller)),
              std::nearbyint(smaller * scale.factor));
  }
  EXPECT_EQ(MakeFixedPointScale(std::numeric_limits<float>::max())
                .ToInteger(std::numeric_limits<float>::max()),
            (uint64_t{1} << 32) - 256);
}

TEST(FixedPointWeightTest, AveragesCompareExactly) {
  const uint64_t big = (uint64_t{1} << 63) - 1;
  const uint64_t most = (uint64_t{1} << 31) - 1;
  EXPECT_TRUE(AverageAtLeast(big, most, big, most));
  EXPECT_TRUE(AverageAtLeast(big, most, big - 1, most));
  EXPECT_FALSE(AverageAtLeast(big - 1, most, big, most));
  EXPECT_FALSE(AverageAtLeast(big, most, big, most - 1));
  EXPECT_TRUE(AverageAtLeast(1, 3, 2, 6));
  EXPECT_TRUE(AverageAtLeast(2, 6, 1, 3));
}

TEST(FixedPointWeightTest, IntegerPartsOrderAsAverages) {
  EXPECT_EQ(AverageFloor(0, 0), 0u);
  EXPECT_EQ(AverageFloor(0, 7), 0u);
  EXPECT_EQ(AverageFloor(20, 7), 2u);
  EXPECT_EQ(AverageFloor(21, 7), 3u);
  const uint64_t largest = 0xffffffff;
  EXPECT_EQ(AverageFloor(largest * 0x7fffffff, 0x7fffffff), largest);
}

}  // namespace
}  // namespace warpclust
