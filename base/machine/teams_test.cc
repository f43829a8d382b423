// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/teams.h"

#include <atomic>
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

}  // namespace
}  // namespace warpclust
