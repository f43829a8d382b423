// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/stream/block_pace.h"

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(BlockPaceTest, GrowsWhileItIsFastAndShrinksWhenItIsSlow) {
  BlockPace pace(1, 65536);
  EXPECT_EQ(pace.documents(), 4096);
  pace.Took(4096, 0);
  EXPECT_EQ(pace.documents(), 16384);
  pace.Took(16384, 0.01);
  EXPECT_EQ(pace.documents(), 65536);
  pace.Took(65536, 0.01);
  EXPECT_EQ(pace.documents(), 65536);
  pace.Took(65536, 8);
  EXPECT_EQ(pace.documents(), 8192);
  pace.Took(8192, 0.5);
  EXPECT_EQ(pace.documents(), 16384);
  for (int i = 0; i < 10; ++i) pace.Took(pace.documents(), 100);
  EXPECT_EQ(pace.documents(), 1);
  for (int i = 0; i < 10; ++i) pace.Took(pace.documents(), 0);
  EXPECT_EQ(pace.documents(), 65536);
}

TEST(BlockPaceTest, BlocksOfWhatIsThere) {
  BlockPace pace(1, 65536);
  // A live stream of single documents says nothing of a flood.
  for (int i = 0; i < 10; ++i) pace.Took(1, 1e-5);
  EXPECT_EQ(pace.documents(), 4096);
  // But this does.
  pace.Took(16, 2);
  EXPECT_EQ(pace.documents(), 8);
}

TEST(BlockPaceTest, Bounds) {
  for (const int64_t size : {1, 50, 4096, 100000}) {
    BlockPace pace(size, size);
    for (const double seconds : {0.0, 1.0, 1e9}) {
      EXPECT_EQ(pace.documents(), size);
      pace.Took(size, seconds);
    }
  }
  BlockPace pace(16384, 65536);
  EXPECT_EQ(pace.documents(), 16384);
  pace.Took(16384, 100);
  EXPECT_EQ(pace.documents(), 16384);
}

}  // namespace
}  // namespace warpclust
