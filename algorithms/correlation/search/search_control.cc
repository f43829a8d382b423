// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/search/search_control.h"

#include <algorithm>
#include <utility>

namespace warpclust {

SearchControl::SearchControl(double seconds)
    : SearchControl(seconds, /*clock=*/nullptr) {}

SearchControl::SearchControl(double seconds, std::function<double()> clock)
    : start_(std::chrono::steady_clock::now()),
      limit_seconds_(seconds),
      clock_(std::move(clock)) {}

double SearchControl::seconds() const {
  if (clock_) return clock_();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                       start_)
      .count();
}

std::vector<SearchControl::Improvement> SearchControl::improvements() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return improvements_;
}

bool SearchControl::ShouldStop() const {
  if (StopRequested() || ended_.load(std::memory_order_relaxed)) return true;
  // False for NaN, which is no limit either.
  return limit_seconds_ > 0 && seconds() >= limit_seconds_;
}

double SearchControl::SecondsLeft() const {
  if (StopRequested() || ended_.load(std::memory_order_relaxed)) return 0;
  if (!(limit_seconds_ > 0)) return std::numeric_limits<double>::infinity();
  return std::max(0.0, limit_seconds_ - seconds());
}

void SearchControl::Report(int64_t imbalance) {
  // Most reports improve nothing and need no lock.
  if (imbalance >= best_.load(std::memory_order_relaxed)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (imbalance >= best_.load(std::memory_order_relaxed)) return;
  best_.store(imbalance, std::memory_order_relaxed);
  improvements_.push_back({seconds(), starts(), imbalance});
}

}  // namespace warpclust
