// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How items of a search are divided into launches.

#include <cstdint>
#include <cstdlib>
#include <vector>

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

// Each tile is of one share, and shares differ by less than a turn.
TEST(TileSearchTest, SharesTakeAllTiles) {
  for (const int32_t num_tiles : {0, 1, 63, 64, 65, 128, 129, 1000, 4097}) {
    for (int32_t num_shares = 1; num_shares <= 5; ++num_shares) {
      SCOPED_TRACE(testing::Message()
                   << num_tiles << " tiles, " << num_shares << " shares");
      std::vector<int> taken(num_tiles);
      for (int32_t share = 0; share < num_shares; ++share) {
        TileArguments arguments;
        arguments.num_tiles = num_tiles;
        arguments.share = share;
        arguments.num_shares = num_shares;
        const int32_t count = NumTilesOfShare(arguments);
        EXPECT_LE(std::abs(count - num_tiles / num_shares), kTilesOfShare);
        for (int32_t k = 0; k < count; ++k) {
          const int32_t tile = TileOfShare(arguments, k);
          ASSERT_LT(tile, num_tiles);
          EXPECT_TRUE(IsOfShare(arguments, tile));
          ++taken[tile];
        }
      }
      EXPECT_EQ(taken, std::vector<int>(num_tiles, 1));
    }
  }
}

}  // namespace
}  // namespace warpclust
