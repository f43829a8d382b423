// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/packed_points.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(PackedPointsTest, FloatsAreKnown) {
  constexpr double kFloats[] = {0.0,
                                -0.0,
                                1.5,
                                -3e38f,
                                std::numeric_limits<float>::max(),
                                std::numeric_limits<float>::min(),
                                std::numeric_limits<float>::denorm_min()};
  constexpr double kOthers[] = {
      0.1,   1e39,       -1e150,
      1e-46, 16777217.0, std::numeric_limits<double>::denorm_min()};
  std::vector<double> values;
  EXPECT_TRUE(AreFloats(values, 2));
  for (int i = 0; i < 10'000; ++i) values.push_back(kFloats[i % 7]);
  EXPECT_TRUE(AreFloats(values, 2));
  for (const double other : kOthers) {
    for (const size_t at : {size_t{0}, size_t{4096}, values.size() - 1}) {
      std::vector<double> changed = values;
      changed[at] = other;
      EXPECT_FALSE(AreFloats(changed, 2)) << other << " at " << at;
    }
  }
}

}  // namespace
}  // namespace warpclust
