// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/sweep_values.h"

#include <limits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(SweepValuesTest, Quantiles) {
  EXPECT_EQ(SweepQuantiles(0.01, 0.16, 5).value(),
            (std::vector<double>{0.01, 0.02, 0.04, 0.08, 0.16}));
  const std::vector<double> usual = SweepQuantiles(1e-3, 1, 16).value();
  ASSERT_EQ(usual.size(), 16u);
  EXPECT_EQ(usual.front(), 0.001);
  EXPECT_EQ(usual[1], 0.00158489);
  EXPECT_EQ(usual.back(), 1);
  for (const auto& [from, to] :
       std::vector<std::pair<double, double>>{{0, 0.1},
                                              {0.2, 0.1},
                                              {0.1, 0.1},
                                              {0.1, 1.5},
                                              {1e-310, 1},
                                              {-0.1, 0.1},
                                              {kNan, 0.1},
                                              {0.1, kNan}}) {
    EXPECT_FALSE(SweepQuantiles(from, to, 16).ok()) << from << " " << to;
  }
  for (const int32_t count : {-1, 0, 1, 1001}) {
    EXPECT_FALSE(SweepQuantiles(0.1, 0.2, count).ok()) << count;
  }
}

TEST(SweepValuesTest, Numbers) {
  EXPECT_EQ(SweepNumbers(3, 48, 5).value(),
            (std::vector<int32_t>{3, 6, 12, 24, 48}));
  // Rounded, and each once.
  EXPECT_EQ(SweepNumbers(1, 10, 16).value(),
            (std::vector<int32_t>{1, 2, 3, 4, 5, 6, 7, 9, 10}));
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(SweepNumbers(1, kMost, 2).value(),
            (std::vector<int32_t>{1, kMost}));
  for (const auto& [from, to] :
       std::vector<std::pair<double, double>>{{0, 10},
                                              {10, 5},
                                              {5, 5},
                                              {1.5, 10},
                                              {1, 10.5},
                                              {-1, 10},
                                              {1, 3e9},
                                              {kNan, 10},
                                              {1, kNan}}) {
    EXPECT_FALSE(SweepNumbers(from, to, 16).ok()) << from << " " << to;
  }
  EXPECT_FALSE(SweepNumbers(1, 10, 1).ok());
}

TEST(SweepValuesTest, NumbersBeyondThePoints) {
  const std::vector<int32_t> doubled = {3, 6, 12, 24, 48};
  const auto clamped = [&](int32_t num_points, bool expected) {
    std::vector<int32_t> numbers = doubled;
    EXPECT_EQ(ClampSweepNumbers(num_points, &numbers), expected) << num_points;
    return numbers;
  };
  EXPECT_EQ(clamped(100, false), doubled);
  EXPECT_EQ(clamped(49, false), doubled);
  EXPECT_EQ(clamped(48, true), (std::vector<int32_t>{3, 6, 12, 24, 47}));
  EXPECT_EQ(clamped(25, true), (std::vector<int32_t>{3, 6, 12, 24}));
  EXPECT_EQ(clamped(10, true), (std::vector<int32_t>{3, 6, 9}));
  EXPECT_EQ(clamped(2, true), std::vector<int32_t>{1});
  EXPECT_EQ(clamped(1, true), std::vector<int32_t>{1});
}

}  // namespace
}  // namespace warpclust
