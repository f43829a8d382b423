// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/threads.h"

#include <omp.h>

#include <limits>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ThreadsTest, PositiveIsTaken) {
  for (int threads : {1, 2, 3, 8, 64}) {
    EXPECT_EQ(ResolveThreads(threads), threads);
  }
}

TEST(ThreadsTest, ZeroIsWhatOpenMpWouldUse) {
  const int before = omp_get_max_threads();
  EXPECT_EQ(ResolveThreads(0), before);
  EXPECT_EQ(ResolveThreads(-1), before);
  EXPECT_EQ(ResolveThreads(std::numeric_limits<int>::min()), before);
  omp_set_num_threads(3);
  EXPECT_EQ(ResolveThreads(0), 3);
  omp_set_num_threads(before);
}

TEST(ThreadsTest, AbsurdNumbersAreCutAndRun) {
  const int threads = ResolveThreads(std::numeric_limits<int>::max());
  EXPECT_GE(threads, 64);
  EXPECT_LE(threads, 64 + 16 * omp_get_num_procs());
  int ran = 0;
#pragma omp parallel num_threads(threads) reduction(+ : ran)
  ran += 1;
  EXPECT_GE(ran, 1);
}

TEST(ThreadsTest, NegativeNumbersAreErrors) {
  EXPECT_TRUE(ValidateNumThreads(0).ok());
  EXPECT_TRUE(ValidateNumThreads(7).ok());
  EXPECT_EQ(ValidateNumThreads(-1).message(),
            "num_threads: expected at least 0, found -1");
}

TEST(ThreadsTest, ChunksAreAPartOfAThreadsShare) {
  EXPECT_EQ(ChunkFor(0, 1), 1);
  EXPECT_EQ(ChunkFor(1, 64), 1);
  EXPECT_EQ(ChunkFor(63, 1), 1);
  EXPECT_EQ(ChunkFor(64, 1), 2);
  EXPECT_EQ(ChunkFor(4096, 2), 64);
  EXPECT_EQ(ChunkFor(4096, 16), 8);
  EXPECT_EQ(ChunkFor(int64_t{1} << 50, 1), 1 << 20);
}

}  // namespace
}  // namespace warpclust
