// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SearchControl: what a running search and its caller tell each other. The
// caller sets a time limit, may ask for an early end from any thread or from a
// signal handler, and can read how far the search is; the search asks whether
// to stop and reports each better I(P).
//
// One control a search: the clock, counts and best I(P) go on from where they
// are, and so does a stop. A search that is stopped returns the best partition
// found so far. A run that ends by itself (by iterations) does not depend on
// the clock.
//
// Thread-safety: all members may be called concurrently.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_SEARCH_CONTROL_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_SEARCH_CONTROL_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

namespace warpclust {

class SearchControl {
 public:
  // An improvement: when, after how many starts, to which I(P) in units.
  struct Improvement {
    double seconds = 0;
    int64_t starts = 0;
    int64_t imbalance = 0;
  };

  // The clock starts now. `seconds` at or below 0: no limit.
  explicit SearchControl(double seconds = 0);
  SearchControl(const SearchControl&) = delete;
  SearchControl& operator=(const SearchControl&) = delete;

  // For the caller. RequestStop is safe in a signal handler.
  void RequestStop() { stop_.store(true, std::memory_order_relaxed); }
  double seconds() const;
  int64_t starts() const { return starts_.load(std::memory_order_relaxed); }
  // The largest int64 before the first report.
  int64_t best() const { return best_.load(std::memory_order_relaxed); }
  // All improvements so far, in order of time.
  std::vector<Improvement> improvements() const;

  // For the search. Costs a clock reading (30 ns): ask once in many moves.
  bool ShouldStop() const;
  bool HasTimeLimit() const { return limit_seconds_ > 0; }
  // Seconds until the limit; infinite without one, 0 if asked to stop.
  double SecondsLeft() const;
  // One more start (construction, chain, restart) was made.
  void CountStart() { starts_.fetch_add(1, std::memory_order_relaxed); }
  // There is a partition of this I(P); remembered if it is the best.
  void Report(int64_t imbalance);

 private:
  const std::chrono::steady_clock::time_point start_;
  const double limit_seconds_;
  std::atomic<bool> stop_{false};
  std::atomic<int64_t> starts_{0};
  std::atomic<int64_t> best_{std::numeric_limits<int64_t>::max()};
  mutable std::mutex mutex_;
  std::vector<Improvement> improvements_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_SEARCH_CONTROL_H_
