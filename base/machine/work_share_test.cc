// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/work_share.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(WorkShareTest, IsUnknownUnlessWorkIsCounted) {
  WorkShare share;
  EXPECT_EQ(share.Share(), -1);
  share.Begin(0);
  EXPECT_EQ(share.Share(), -1);
  share.Begin(8);
  EXPECT_EQ(share.Share(), 0);
  share.Add(2);
  EXPECT_EQ(share.Share(), 0.25);
  EXPECT_GE(share.Seconds(), 0);
  // More than was announced.
  share.Add(7);
  EXPECT_EQ(share.Share(), 1);
  share.End();
  EXPECT_EQ(share.Share(), -1);
  EXPECT_EQ(share.done(), 9);
  EXPECT_EQ(share.total(), 8);
  share.Begin(4);
  EXPECT_EQ(share.Share(), 0);
}

TEST(CountedWorkTest, CountsFromSeveralThreadsWhileItLives) {
  WorkShare share;
  {
    const CountedWork work(&share, 4000);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&work] {
        for (int i = 0; i < 1000; ++i) work.Add(1);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(share.Share(), 1);
  }
  EXPECT_EQ(share.Share(), -1);
  EXPECT_EQ(share.done(), 4000);
  // Without anybody who looks.
  const CountedWork unseen(nullptr, 5);
  unseen.Add(5);
  EXPECT_FALSE(unseen.stopped());
}

TEST(CountedWorkTest, IsStoppedByItsOwner) {
  WorkShare share;
  const CountedWork work(&share, 4);
  EXPECT_FALSE(work.stopped());
  share.RequestStop();
  EXPECT_TRUE(work.stopped());
  // Later work too.
  EXPECT_TRUE(CountedWork(&share, 4).stopped());
}

}  // namespace
}  // namespace warpclust
