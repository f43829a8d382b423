// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/count_cells.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CountCellsTest, AnyThreadsCountTheSame) {
  for (const int64_t num_items : {0, 1, 1000, 200'001}) {
    for (const int64_t num_cells : {1, 7, 30'000, 150'000}) {
      const auto cell_of = [&](int64_t i) { return i * i % num_cells; };
      std::vector<int64_t> expected(num_cells, 0);
      for (int64_t i = 0; i < num_items; ++i) ++expected[cell_of(i)];
      for (const int threads : {1, 2, 7}) {
        EXPECT_EQ(CountCells(num_items, num_cells, threads, cell_of), expected)
            << num_items << " items, " << num_cells << " cells, " << threads
            << " threads";
      }
    }
  }
}

TEST(CountCellsTest, Nothing) {
  EXPECT_TRUE(CountCells(0, 0, 2, [](int64_t i) { return i; }).empty());
}

}  // namespace
}  // namespace warpclust
