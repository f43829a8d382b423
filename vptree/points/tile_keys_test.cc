// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/tile_keys.h"

#include <algorithm>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(TileKeysTest, SameBitsAsDistanceKeyAtEveryLevel) {
  for (const SimdLevel level :
       {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    SetSimdLevelLimitForTesting(level);
    for (const int32_t dimensions : {1, 2, 3, 7, 40, 100}) {
      Random random(dimensions);
      PointMatrix points;
      points.num_points = 70;
      points.num_dimensions = dimensions;
      for (int32_t k = 0; k < points.num_points * dimensions; ++k) {
        points.values.push_back((random.Unit() - 0.5) * (k % 5 == 0 ? 1e8 : 1));
      }
      std::vector<int32_t> ids;
      for (int32_t i = 0; i < 19; ++i) ids.push_back(69 - 3 * i);
      std::vector<double> tile(kKeyTilePoints * dimensions);
      PackTile(points, ids, tile.data());
      for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
        for (int32_t row = 0; row < points.num_points; ++row) {
          double keys[kKeyTilePoints];
          TileKeys(norm, points.Row(row), tile.data(), dimensions, keys);
          for (int32_t i = 0; i < kKeyTilePoints; ++i) {
            const int32_t other = ids[std::min(i, 18)];
            ASSERT_EQ(keys[i], DistanceKey(norm, points.Row(row),
                                           points.Row(other), dimensions))
                << "level " << SimdLevelName(level) << ", " << dimensions
                << " dimensions, points " << row << " and " << other;
          }
        }
      }
    }
  }
  SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
}

}  // namespace
}  // namespace warpclust
