// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/point_sample.h"

#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

TEST(DrawPointSampleTest, HasAPointOfEachPart) {
  PointMatrix points{100, 2, {}};
  for (int32_t i = 0; i < 100; ++i) {
    points.values.insert(points.values.end(), {1.0 * i, -1.0 * i});
  }
  for (const int32_t count : {1, 7, 50, 100}) {
    const PointMatrix sample = DrawPointSample(points, count);
    ASSERT_EQ(sample.num_points, count);
    ASSERT_EQ(sample.num_dimensions, 2);
    ASSERT_EQ(sample.values.size(), size_t{2} * count);
    for (int32_t i = 0; i < count; ++i) {
      EXPECT_GE(sample.Row(i)[0], 100 * i / count);
      EXPECT_LT(sample.Row(i)[0], 100 * (i + 1) / count);
      EXPECT_EQ(sample.Row(i)[1], -sample.Row(i)[0]);
    }
    EXPECT_EQ(DrawPointSample(points, count).values, sample.values);
  }
}

TEST(GrownCountTest, ContinuesTheGrowth) {
  EXPECT_DOUBLE_EQ(GrownCount(10, 10, 16, 1), 10);
  EXPECT_DOUBLE_EQ(GrownCount(10, 20, 16, 1), 320);
  EXPECT_DOUBLE_EQ(GrownCount(10, 20, 16, 0.5), 80);
  // Fewer on more points is chance, and nothing has no exponent.
  EXPECT_DOUBLE_EQ(GrownCount(20, 10, 16, 1), 10);
  EXPECT_DOUBLE_EQ(GrownCount(0, 10, 16, 1), 10);
  EXPECT_DOUBLE_EQ(GrownCount(10, 0, 16, 1), 0);
}

}  // namespace
}  // namespace warpclust
