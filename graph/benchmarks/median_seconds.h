// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MedianSeconds: repeats a measurement, for benchmarks only. A run of a second
// or more is not repeated: its spread is small beside it.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_MEDIAN_SECONDS_H_
#define WARPCLUST_GRAPH_BENCHMARKS_MEDIAN_SECONDS_H_

#include <algorithm>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace warpclust {

// The median of what up to `repeat` (at least 1) calls of `run` return, or the
// first error.
inline absl::StatusOr<double> MedianSeconds(
    int repeat, absl::FunctionRef<absl::StatusOr<double>()> run) {
  std::vector<double> seconds;
  do {
    const absl::StatusOr<double> once = run();
    if (!once.ok()) return once.status();
    seconds.push_back(*once);
  } while (static_cast<int>(seconds.size()) < repeat && seconds.back() < 1);
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_MEDIAN_SECONDS_H_
