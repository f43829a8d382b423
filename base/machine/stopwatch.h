// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Stopwatch and PhaseTimer: wall-clock seconds of the phases that results and
// summaries report, by a steady clock. For work on a GPU, wait for it first. A
// phase with a name, a literal, is also a span of the trace (trace.h).

#ifndef WARPCLUST_BASE_MACHINE_STOPWATCH_H_
#define WARPCLUST_BASE_MACHINE_STOPWATCH_H_

#include <chrono>

#include "base/machine/trace.h"

namespace warpclust {

// Times phases that follow one another.
class Stopwatch {
 public:
  // Seconds since construction or the last Lap.
  double Seconds() const { return SecondsUntil(Clock::now()); }

  // The same; starts the next phase.
  double Lap(const char* name = nullptr) {
    const Clock::time_point now = Clock::now();
    const double seconds = SecondsUntil(now);
    if (name != nullptr) RecordSpan(name, start_, now);
    start_ = now;
    return seconds;
  }

 private:
  using Clock = TraceClock;

  double SecondsUntil(Clock::time_point end) const {
    return std::chrono::duration<double>(end - start_).count();
  }

  Clock::time_point start_ = Clock::now();
};

// Adds the seconds of its own life to a sum: a phase is timed however its scope
// is left.
class PhaseTimer {
 public:
  explicit PhaseTimer(double* sum, const char* name = nullptr)
      : sum_(sum), name_(name) {}
  ~PhaseTimer() { *sum_ += stopwatch_.Lap(name_); }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double* const sum_;
  const char* const name_;
  Stopwatch stopwatch_;
};

}  // namespace warpclust

#endif  // WARPCLUST_BASE_MACHINE_STOPWATCH_H_
