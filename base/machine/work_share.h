// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WorkShare: how much of a long piece of work is done. A library counts, the
// caller looks at it from another thread and may ask the library to stop.
//
//   WorkShare share;                            // The caller's.
//   const CountedWork work(&share, num_rows);   // In a library.
//   for (...) {
//     if (work.stopped()) return absl::CancelledError(...);
//     work.Add(1);
//   }
//
// All members may be called from any thread. Add costs an atomic addition: call
// it for blocks of items that take less than a microsecond each.

#ifndef WARPCLUST_BASE_MACHINE_WORK_SHARE_H_
#define WARPCLUST_BASE_MACHINE_WORK_SHARE_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace warpclust {

class WorkShare {
 public:
  // New work of `total` units, of which nothing is done.
  void Begin(int64_t total) {
    counts_.store(false, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    total_.store(total, std::memory_order_relaxed);
    begin_.store(Now(), std::memory_order_relaxed);
    counts_.store(true, std::memory_order_relaxed);
  }
  void Add(int64_t units) { done_.fetch_add(units, std::memory_order_relaxed); }
  // What follows is not counted.
  void End() { counts_.store(false, std::memory_order_relaxed); }

  // From 0 to 1; -1 if nothing is counted.
  double Share() const {
    const int64_t total = this->total();
    if (!counts_.load(std::memory_order_relaxed) || total <= 0) return -1;
    return std::clamp(static_cast<double>(done()) / static_cast<double>(total),
                      0.0, 1.0);
  }
  // Since the last Begin.
  double Seconds() const {
    using Duration = std::chrono::steady_clock::duration;
    return std::chrono::duration<double>(
               Duration(Now() - begin_.load(std::memory_order_relaxed)))
        .count();
  }

  // Asks for the end of the work, now and later. Headers of libraries say which
  // work heeds it, with a Cancelled status; other work runs to its end.
  void RequestStop() { stop_.store(true, std::memory_order_relaxed); }
  bool stop_requested() const { return stop_.load(std::memory_order_relaxed); }

  // Units of the last work, also after its end.
  int64_t done() const { return done_.load(std::memory_order_relaxed); }
  int64_t total() const { return total_.load(std::memory_order_relaxed); }

 private:
  static int64_t Now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
  }

  std::atomic<bool> counts_{false};
  std::atomic<bool> stop_{false};
  std::atomic<int64_t> done_{0};
  std::atomic<int64_t> total_{0};
  std::atomic<int64_t> begin_{0};
};

// Whether the owner of `work`, which may be null, has asked for the end.
inline bool StopRequested(const WorkShare* work) {
  return work != nullptr && work->stop_requested();
}

// Counts work as long as it lives; nothing if `share` is null.
class CountedWork {
 public:
  CountedWork(WorkShare* share, int64_t total) : share_(share) {
    if (share_ != nullptr) share_->Begin(total);
  }
  ~CountedWork() {
    if (share_ != nullptr) share_->End();
  }
  CountedWork(const CountedWork&) = delete;
  CountedWork& operator=(const CountedWork&) = delete;

  void Add(int64_t units) const {
    if (share_ != nullptr) share_->Add(units);
  }
  bool stopped() const { return StopRequested(share_); }

 private:
  WorkShare* const share_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_WORK_SHARE_H_
