// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/column_scales.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

TEST(ColumnScalesTest, MeanAndDeviation) {
  PointMatrix points = {4, 3, {1, 1e9, 5, 1, 3e9, 5, 3, 1e9, 5, 3, 3e9, 5}};
  const std::vector<ColumnScale> scales = MeasureColumns(points);
  const UnlikeColumns unlike = FindUnlikeColumns(scales);
  EXPECT_EQ(unlike.small, 0);
  EXPECT_EQ(unlike.large, 1);
  EXPECT_EQ(unlike.ratio, 1e9);
  PointMatrix other = {1, 3, {5, 2e9, 7}};
  Standardize(scales, &points);
  EXPECT_EQ(points.values,
            (std::vector<double>{-1, -1, 0, -1, 1, 0, 1, -1, 0, 1, 1, 0}));
  // By the scales of the others.
  Standardize(scales, &other);
  EXPECT_EQ(other.values, (std::vector<double>{3, 0, 0}));
}

// Column by column, in the order of the points.
TEST(ColumnScalesTest, EqualsTheDefinitionWithAnyThreads) {
  Random random(1);
  PointMatrix points = {70000, 5, std::vector<double>(350000)};
  for (size_t i = 0; i < points.values.size(); ++i) {
    points.values[i] = i % 5 == 3 ? 7 : (random.Unit() - 0.3) * (1 + i % 5);
  }
  for (const int threads : {1, 3}) {
    const std::vector<ColumnScale> scales = MeasureColumns(points, threads);
    const std::vector<ColumnScale> ranges = MeasureRanges(points, threads);
    for (int32_t k = 0; k < 5; ++k) {
      double least = points.Row(0)[k], most = least, sum = 0, squares = 0;
      for (int32_t i = 0; i < points.num_points; ++i) {
        least = std::min(least, points.Row(i)[k]);
        most = std::max(most, points.Row(i)[k]);
      }
      const double range = most - least;
      EXPECT_EQ(scales[k].least, least);
      EXPECT_EQ(scales[k].range, range);
      EXPECT_EQ(ranges[k].least, least);
      EXPECT_EQ(ranges[k].range, range);
      for (int32_t i = 0; i < points.num_points && range > 0; ++i) {
        sum += (points.Row(i)[k] - least) / range;
      }
      const double mean = sum / points.num_points;
      for (int32_t i = 0; i < points.num_points && range > 0; ++i) {
        const double x = (points.Row(i)[k] - least) / range - mean;
        squares += x * x;
      }
      EXPECT_EQ(scales[k].mean, mean);
      EXPECT_EQ(scales[k].deviation, std::sqrt(squares / points.num_points));
    }
  }
}

TEST(ColumnScalesTest, Extremes) {
  PointMatrix points = {
      2, 2, {-kLargestCoordinate, 0, kLargestCoordinate, 5e-324}};
  const std::vector<ColumnScale> scales = MeasureColumns(points);
  Standardize(scales, &points);
  EXPECT_EQ(points.values, (std::vector<double>{-1, -1, 1, 1}));
  EXPECT_TRUE(points.Validate().ok());
  PointMatrix equal = {2, 1, {7, 7}};
  EXPECT_EQ(FindUnlikeColumns(MeasureColumns(equal)).ratio, 1);
  Standardize(MeasureColumns(equal), &equal);
  EXPECT_EQ(equal.values, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace warpclust
