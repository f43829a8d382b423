// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/column_scales.h"

#include <vector>

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
