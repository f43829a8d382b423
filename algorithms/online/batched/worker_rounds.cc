// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/batched/worker_rounds.h"

#include <barrier>
#include <system_error>
#include <thread>
#include <vector>

namespace warpclust {

void WorkInRounds(int threads, absl::FunctionRef<bool()> prepare,
                  absl::FunctionRef<void(int thread, int threads)> work) {
  bool stopped = false;
  int started = 1;
  std::barrier<> barrier(threads);
  std::vector<std::thread> helpers;
  helpers.reserve(threads);
  const auto rounds = [&](int thread) {
    for (;;) {
      if (thread == 0) stopped = !prepare();
      barrier.arrive_and_wait();
      if (stopped) return;
      work(thread, started);
      barrier.arrive_and_wait();
    }
  };
  try {
    while (started < threads) {
      helpers.emplace_back(rounds, started);
      ++started;
    }
  } catch (const std::system_error&) {
    // The system grants no more threads; the others do all the work.
    for (int i = started; i < threads; ++i) barrier.arrive_and_drop();
  }
  rounds(0);
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace warpclust
