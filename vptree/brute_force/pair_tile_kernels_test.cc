// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/pair_tile_kernels.h"

#include <cstdint>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// All levels that this CPU has, with rows as ByteGrid makes them.
TEST(PairTileKernelsTest, ByteDots) {
  Random random(1);
  for (const SimdLevel level :
       {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level > CpuSimdLevel()) continue;
    SCOPED_TRACE(SimdLevelName(level));
    const PairTileKernels& kernels = PairTileKernelsFor(level);
    for (int d : {1, 4, 15, 16, 17, 40, 63, 64, 65, 120, 129, 784, 32768}) {
      const int padded = (d + 15) / 16 * 16;
      const int row_bytes = (padded + 8 + 63) / 64 * 64;
      std::vector<uint8_t> rows[5];
      for (std::vector<uint8_t>& row : rows) {
        row.assign(row_bytes, 0);
        // Only extremes, at times.
        const bool is_extreme = random.Below(3) == 0;
        for (int k = 0; k < d; ++k) {
          row[k] = static_cast<uint8_t>(is_extreme ? 255 * random.Below(2)
                                                   : random.Below(256));
        }
        // What rows have behind their zeros is not part of it.
        for (int k = padded; k < row_bytes; ++k) {
          row[k] = static_cast<uint8_t>(random.Below(256));
        }
      }
      const uint8_t* ys[4];
      for (int j = 0; j < 4; ++j) ys[j] = rows[1 + j].data();
      int32_t dots[4];
      kernels.byte_dots(rows[0].data(), ys, d, dots);
      for (int j = 0; j < 4; ++j) {
        int64_t expected = 0;
        for (int k = 0; k < d; ++k) expected += rows[0][k] * (ys[j][k] - 128);
        EXPECT_EQ(dots[j], expected) << d;
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
