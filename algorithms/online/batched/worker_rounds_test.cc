// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/worker_rounds.h"

#include <atomic>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(WorkInRoundsTest, AllThreadsWorkBetweenTwoSteps) {
  for (int threads = 1; threads <= 5; ++threads) {
    int round = 0;
    std::atomic<int> calls = 0;
    // Of each thread, the rounds that it worked in.
    std::vector<std::vector<int>> worked(threads);
    WorkInRounds(
        threads,
        [&] {
          EXPECT_EQ(calls, round * threads);
          return ++round <= 20;
        },
        [&](int thread, int of) {
          EXPECT_EQ(of, threads);
          worked[thread].push_back(round);
          ++calls;
        });
    EXPECT_EQ(round, 21);
    for (const std::vector<int>& rounds : worked) {
      ASSERT_EQ(rounds.size(), 20u);
      for (int i = 0; i < 20; ++i) EXPECT_EQ(rounds[i], i + 1);
    }
  }
}

TEST(WorkInRoundsTest, NoRound) {
  WorkInRounds(
      3, [] { return false; }, [](int, int) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace warpclust
