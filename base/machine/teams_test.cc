// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/teams.h"

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(TeamsTest, EachItemRunsOnceOnAllThreadsOfItsTeam) {
  for (const int teams : {1, 2, 3, 5}) {
    for (const int threads : {1, 3, 5, 8}) {
      if (threads < teams) continue;
      for (const int64_t count : {0, 1, 2, 7, 100}) {
        SCOPED_TRACE(testing::Message() << teams << " teams, " << threads
                                        << " threads, " << count << " items");
        std::vector<std::atomic<int>> runs(count);
        RunInTeams(count, teams, threads, [&](int64_t i, int of_team) {
          ++runs[i];
          EXPECT_GE(of_team, threads / teams);
          EXPECT_LE(of_team * teams, threads + teams - 1);
          std::set<std::thread::id> ids;
          std::mutex mutex;
#pragma omp parallel num_threads(of_team)
          {
            const std::lock_guard<std::mutex> lock(mutex);
            ids.insert(std::this_thread::get_id());
          }
          EXPECT_EQ(ids.size(), static_cast<size_t>(of_team));
        });
        for (const std::atomic<int>& number : runs) EXPECT_EQ(number, 1);
      }
    }
  }
}

// No address space holds the stacks of such threads.
TEST(TeamsTest, WithoutThreadsTheCallerRunsAllItems) {
  pthread_attr_t before;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  pthread_attr_t huge;
  ASSERT_EQ(pthread_getattr_default_np(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, size_t{1} << 60), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  std::vector<int> runs(7);
  RunInTeams(7, /*teams=*/3, /*num_threads=*/6,
             [&](int64_t i, int /*of_team*/) { ++runs[i]; });
  ASSERT_EQ(pthread_setattr_default_np(&before), 0);
  EXPECT_EQ(runs, std::vector<int>(7, 1));
}

}  // namespace
}  // namespace warpclust
