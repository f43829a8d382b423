// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How items of a search are divided into launches.

#include <cstdint>

#include "gtest/gtest.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"

namespace warpclust {
namespace {

// However many items there are, and however far apart those of a sample.
TEST(TileSearchTest, LaunchesTakeAllItemsInTurn) {
  constexpr int64_t kMany = int64_t{1} << 46;
  for (const int64_t items : {int64_t{1}, int64_t{1000}, kMany - 1, kMany}) {
    for (const int64_t stride : {int64_t{1}, int64_t{51}, items}) {
      for (const int64_t most : {int64_t{1} << 30, (items + 2) / 3}) {
        const int64_t sampled = (items - 1) / stride + 1;
        if (sampled / most > 1000) continue;
        TileArguments arguments;
        arguments.end_item = items;
        arguments.item_stride = stride;
        int64_t blocks = 0;
        while (arguments.first_item < items) {
          TileArguments part = arguments;
          part.end_item = EndOfLaunch(arguments, most);
          ASSERT_EQ(part.first_item % stride, 0);
          ASSERT_GT(part.end_item, part.first_item);
          ASSERT_LE(NumBlocks(part), most);
          blocks += NumBlocks(part);
          arguments.first_item = part.end_item;
        }
        EXPECT_EQ(blocks, sampled) << items << ", " << stride << ", " << most;
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
