// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PhaseTimer: adds the seconds of its own life to a sum, so that a phase is
// timed whichever way it is left. Thread-safety: one thread.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PHASE_TIMER_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PHASE_TIMER_H_

#include <chrono>

namespace warpclust {

class PhaseTimer {
 public:
  explicit PhaseTimer(double* sum)
      : sum_(sum), start_(std::chrono::steady_clock::now()) {}
  ~PhaseTimer() {
    *sum_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_)
            .count();
  }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  double* const sum_;
  const std::chrono::steady_clock::time_point start_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PHASE_TIMER_H_
