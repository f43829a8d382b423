// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SearchControl: connects a running search with its caller. The caller sets a
// time limit, may stop the search from any thread or a signal handler, and can
// follow its progress.
//
//   SearchControl control(/*seconds=*/10);
//   result = CorrelationClustering(graph, options, &control);
//   for (const auto& step : control.improvements()) ...
//
// Use a new control for each search: its clock, counts and best I(P) do not
// start over. All members may be called concurrently.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_SEARCH_CONTROL_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_SEARCH_CONTROL_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
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

  // The clock starts now. No limit if `seconds` is not above 0.
  explicit SearchControl(double seconds = 0);
  // With a clock of the caller, which tells the seconds since the start from
  // any thread.
  SearchControl(double seconds, std::function<double()> clock);
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
  // Call it before a search by a published variant on the CPU to learn the
  // seconds that it spends in its local search, summed over the threads.
  void MeasureLocalSearch() { measures_local_search_ = true; }
  double local_search_seconds() const {
    return 1e-9 *
           static_cast<double>(local_search_.load(std::memory_order_relaxed));
  }

  // For the search. ShouldStop reads the clock: ask once in many moves.
  bool ShouldStop() const;
  // Whether the caller asked for the end; the time limit does not count.
  bool StopRequested() const { return stop_.load(std::memory_order_relaxed); }
  bool HasTimeLimit() const { return limit_seconds_ > 0; }
  // Seconds until the limit: infinite without one, 0 after the end.
  double SecondsLeft() const;
  // Ends the search as the time limit does.
  void End() { ended_.store(true, std::memory_order_relaxed); }
  // One more start, restart or chain was made.
  void CountStart() { starts_.fetch_add(1, std::memory_order_relaxed); }
  // A partition of this I(P) exists; remembered if it is the best.
  void Report(int64_t imbalance);
  // The result of `descend`, a local search whose time counts if that was asked
  // for.
  template <typename Descend>
  auto TimeLocalSearch(const Descend& descend) {
    if (!measures_local_search_) return descend();
    const auto start = std::chrono::steady_clock::now();
    const auto result = descend();
    local_search_.fetch_add(
        std::chrono::nanoseconds(std::chrono::steady_clock::now() - start)
            .count(),
        std::memory_order_relaxed);
    return result;
  }

 private:
  const std::chrono::steady_clock::time_point start_;
  const double limit_seconds_;
  const std::function<double()> clock_;  // Empty: the time since start_.
  std::atomic<bool> stop_{false};
  std::atomic<bool> ended_{false};
  std::atomic<int64_t> starts_{0};
  bool measures_local_search_ = false;
  std::atomic<int64_t> local_search_{0};  // Nanoseconds.
  std::atomic<int64_t> best_{std::numeric_limits<int64_t>::max()};
  mutable std::mutex mutex_;
  std::vector<Improvement> improvements_;
};

// How a step of a search runs: a descent, a contraction, joins, ...
struct StepOptions {
  // Ends the step early, with what it has by then; null: nothing does. A
  // control that stops does so for good, so the caller can ask it afterwards.
  const SearchControl* control = nullptr;
  int num_threads = 1;  // 0: all cores. Results do not depend on it.
  // A graph of at least this many entries of rows may be large: see
  // ExceedsCaches. Tests of what is done for large graphs lower it.
  int64_t large_entries = 1 << 22;

  bool IsStopped() const { return control != nullptr && control->ShouldStop(); }
};

// Asks a control once per thousands of units of work, such as the entries of a
// row, so that the clock costs nothing and a stop is noticed within
// milliseconds. One thread uses it.
class StopCheck {
 public:
  explicit StopCheck(const SearchControl* control) : control_(control) {}

  // `work` more units were done. Whether to stop; once true, always true.
  bool After(int64_t work) {
    work_ += work;
    if (work_ < kWork || stopped_ || control_ == nullptr) return stopped_;
    work_ = 0;
    stopped_ = control_->ShouldStop();
    return stopped_;
  }

 private:
  static constexpr int64_t kWork = 1 << 16;

  const SearchControl* const control_;
  int64_t work_ = 0;
  bool stopped_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_SEARCH_SEARCH_CONTROL_H_
