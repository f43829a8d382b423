// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "base/machine/compute_in_order.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace warpclust {

absl::Status ComputeInOrder(
    int num_items, int num_workers,
    absl::FunctionRef<absl::Status(int worker, int item)> compute,
    absl::FunctionRef<absl::Status(int item)> take) {
  absl::Status status;
  if (num_workers == 1) {
    for (int item = 0; item < num_items && status.ok(); ++item) {
      status = compute(/*worker=*/0, item);
      if (status.ok()) status = take(item);
    }
    return status;
  }
  std::mutex mutex;  // Guards all below.
  std::condition_variable changed;
  int begun = 0;
  int taken = 0;
  bool ended = false;
  std::vector<std::optional<absl::Status>> computed(num_items);
  const auto work = [&](int worker) {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [&] {
        return ended || begun == num_items || begun < taken + 2 * num_workers;
      });
      if (ended || begun == num_items) return;
      const int item = begun++;
      lock.unlock();
      absl::Status of_item = compute(worker, item);
      lock.lock();
      computed[item] = std::move(of_item);
      changed.notify_all();
    }
  };
  std::vector<std::thread> workers;
  for (int worker = 0; worker < std::min(num_workers, num_items); ++worker) {
    workers.emplace_back(work, worker);
  }
  std::unique_lock<std::mutex> lock(mutex);
  for (; taken < num_items && status.ok(); ++taken) {
    changed.notify_all();
    changed.wait(lock, [&] { return computed[taken].has_value(); });
    status = *computed[taken];
    if (!status.ok()) break;
    lock.unlock();
    status = take(taken);
    lock.lock();
  }
  ended = true;
  changed.notify_all();
  lock.unlock();
  for (std::thread& worker : workers) worker.join();
  return status;
}

}  // namespace warpclust
