// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The program that benchmark_program_test.sh runs: one benchmark per file of
// --data, which ends as --fail says.

#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"

ABSL_FLAG(std::string, fail, "", "message of a failed check");

namespace warpclust {

absl::Status RegisterBenchmarks() {
  const auto run = [](benchmark::State& state) {
    const std::string message = absl::GetFlag(FLAGS_fail);
    const double seconds = TimeIterations(
        state, [] { return absl::StatusOr<int>(1); },
        [&](int) {
          return message.empty() ? absl::OkStatus()
                                 : absl::InternalError(message);
        });
    state.counters["mean_seconds"] = seconds;
  };
  for (const std::string& path : BenchmarkFiles({"_tf.txt", ".csv"})) {
    benchmark::RegisterBenchmark(BenchmarkDataName(path).c_str(), run)
        ->UseRealTime();
  }
  return absl::GetFlag(FLAGS_fail) == "register"
             ? absl::InvalidArgumentError("expected another flag")
             : absl::OkStatus();
}

}  // namespace warpclust
