// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/teams.h"

#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace warpclust {

void RunInTeams(int64_t count, int teams, int num_threads,
                absl::FunctionRef<void(int64_t item, int threads)> run) {
  if (num_threads < 2 * teams) {
    // Nothing to share: the threads that OpenMP keeps suffice.
#pragma omp parallel for num_threads(teams) schedule(dynamic, 1)
    for (int64_t i = 0; i < count; ++i) run(i, 1);
    return;
  }
  std::atomic<int64_t> next = 0;
  const auto work = [&](int team) {
    const int threads = num_threads / teams + (team < num_threads % teams);
    for (int64_t i = next++; i < count; i = next++) run(i, threads);
  };
  std::vector<std::thread> others;
  others.reserve(teams - 1);
  for (int team = 1; team < teams; ++team) {
    try {
      others.emplace_back(work, team);
    } catch (const std::system_error&) {
      // No more threads: the teams that started do the work.
      break;
    }
  }
  work(0);
  for (std::thread& other : others) other.join();
}

}  // namespace warpclust
