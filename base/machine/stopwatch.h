// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Stopwatch and PhaseTimer: wall-clock seconds of the phases that results and
// summaries report, by a steady clock. For work on a GPU, wait for it first.

#ifndef WARPCLUST_BASE_MACHINE_STOPWATCH_H_
#define WARPCLUST_BASE_MACHINE_STOPWATCH_H_

#include <chrono>

namespace warpclust {

// Times phases that follow one another.
class Stopwatch {
 public:
  // Seconds since construction or the last Lap.
  double Seconds() const { return SecondsUntil(Clock::now()); }

  // The same; starts the next phase.
  double Lap() {
    const Clock::time_point now = Clock::now();
    const double seconds = SecondsUntil(now);
    start_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;

  double SecondsUntil(Clock::time_point end) const {
    return std::chrono::duration<double>(end - start_).count();
  }

  Clock::time_point start_ = Clock::now();
};

// Adds the seconds of its own life to a sum: a phase is timed however its scope
// is left.
class PhaseTimer {
 public:
  explicit PhaseTimer(double* sum) : sum_(sum) {}
  ~PhaseTimer() { *sum_ += stopwatch_.Seconds(); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double* const sum_;
  const Stopwatch stopwatch_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_STOPWATCH_H_
