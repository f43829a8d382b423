// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TimeIterations: the loop of a benchmark whose work can fail, and whose result
// is checked and freed outside the measured time.
//
//   const double seconds = TimeIterations(
//       state, [&] { return CosineGraph(documents, options); },
//       [&](const CsrGraph& graph) { return CompareWith(expected, graph); });
//   state.counters["times_plain"] = plain_seconds / seconds;

#ifndef WARPCLUST_BASE_TESTING_TIMED_ITERATIONS_H_
#define WARPCLUST_BASE_TESTING_TIMED_ITERATIONS_H_

#include <chrono>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "benchmark/benchmark.h"

namespace warpclust {

inline double BenchmarkClock() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

inline void SkipBenchmark(benchmark::State& state, const absl::Status& status) {
  state.SkipWithError(std::string(status.message()).c_str());
}

// Calls `work`, which returns an absl::StatusOr, once per iteration, and
// `check`, which returns an absl::Status, with each value. Returns the mean
// wall-clock seconds of `work`; 0 after an error, which ends the benchmark. For
// benchmarks with UseRealTime or UseManualTime.
template <typename Work, typename Check>
double TimeIterations(benchmark::State& state, const Work& work,
                      const Check& check) {
  double sum = 0;
  for (auto _ : state) {
    const double start = BenchmarkClock();
    auto result = work();
    const double seconds = BenchmarkClock() - start;
    state.PauseTiming();
    state.SetIterationTime(seconds);
    sum += seconds;
    absl::Status status = result.status();
    if (result.ok()) status = check(*std::move(result));
    result = absl::CancelledError();  // frees it
    if (!status.ok()) {
      SkipBenchmark(state, status);
      return 0;
    }
    state.ResumeTiming();
  }
  return sum / static_cast<double>(state.iterations());
}

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TESTING_TIMED_ITERATIONS_H_
