// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/widest_dimension.h"

#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

template <class Number>
int32_t Widest(const std::vector<Number>& values, int32_t num_dimensions,
               int32_t begin = 0) {
  return WidestDimension(
      begin, static_cast<int32_t>(values.size()) / num_dimensions,
      num_dimensions,
      [&](int32_t i) { return values.data() + int64_t{i} * num_dimensions; });
}

TEST(WidestDimensionTest, FindsTheLargestVariance) {
  std::mt19937_64 random(3);
  for (const int32_t n : {2, 3, 63, 64, 65, 1000}) {
    for (int32_t d = 1; d < 6; ++d) {
      for (int32_t widest = 0; widest < d; ++widest) {
        std::vector<float> values;
        for (int32_t i = 0; i < n; ++i) {
          for (int32_t k = 0; k < d; ++k) {
            // Around a million, where squares would have no digits left.
            const bool is_up = i == 1 || (i > 1 && random() % 2 == 1);
            values.push_back(1e6F + (is_up ? k == widest ? 8 : 1 : 0));
          }
        }
        EXPECT_EQ(Widest(values, d), widest) << n << " rows of " << d;
      }
    }
  }
}

TEST(WidestDimensionTest, FarRowsThatAreNotInTheSampleDoNotCount) {
  std::vector<double> values;
  for (int32_t i = 0; i < 1000; ++i) {
    values.push_back(i);
    values.push_back(i == 5 ? 5000 : 0);
  }
  EXPECT_EQ(Widest(values, 2), 0);
}

TEST(WidestDimensionTest, AFarRowOfTheSampleMayStillNotDecide) {
  std::vector<double> values;
  for (int32_t i = 0; i < 64; ++i) {
    values.push_back(i % 2 == 0 ? 0 : 1000);
    values.push_back(i == 5 ? 3000 : 0);
  }
  EXPECT_EQ(Widest(values, 2), 0);
}

TEST(WidestDimensionTest, EqualRows) {
  for (const double value : {0.0, 0.1, -1e150}) {
    EXPECT_EQ(Widest(std::vector<double>(300, value), 3), -1);
  }
  // One is not, and it is the first, the last, or in the middle.
  for (const int32_t other : {0, 7, 19}) {
    std::vector<double> values(60, 0.1);
    values[3 * other + 2] = 0.2;
    EXPECT_EQ(Widest(values, 3), 2);
  }
}

TEST(WidestDimensionTest, BeginsAtTheFirstRow) {
  const std::vector<double> values = {100, 0, 1, 3, 1, 5};
  EXPECT_EQ(Widest(values, 2), 0);
  EXPECT_EQ(Widest(values, 2, /*begin=*/1), 1);
}

TEST(WidestDimensionTest, LargeCoordinates) {
  const std::vector<double> values = {-1e150, 0, 1e150, 1};
  EXPECT_EQ(Widest(values, 2), 0);
}

}  // namespace
}  // namespace warpclust
