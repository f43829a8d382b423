// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The main() of every benchmark program: Google Benchmark, with flags for data
// and results.
//
//   cosine_graph_benchmark --data=FILE_OR_FOLDER[,...] --out=FOLDER
//
// --data names files, or folders from which the program chooses files by name.
// --out writes FOLDER/<program>.json beside the table on standard output. All
// flags of Google Benchmark work (--benchmark_filter=REGEX,
// --benchmark_format=json). A program may define flags by ABSL_FLAG, and
// defines one function unless it only uses BENCHMARK():
//
//   absl::Status warpclust::RegisterBenchmarks() {
//     for (const std::string& path : BenchmarkData("_tf.svm.gz")) {
//       benchmark::RegisterBenchmark(...);
//     }
//     return absl::OkStatus();
//   }

#ifndef WARPCLUST_BASE_TESTING_BENCHMARK_PROGRAM_H_
#define WARPCLUST_BASE_TESTING_BENCHMARK_PROGRAM_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// The files that --data names, and those in its folders whose names end in
// `suffix`, sorted by name within a folder. Empty without --data.
std::vector<std::string> BenchmarkData(absl::string_view suffix);

// Registers the benchmarks that depend on flags and data. Called once, after
// the flags are parsed. An error ends the program with exit code 2.
absl::Status RegisterBenchmarks();

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TESTING_BENCHMARK_PROGRAM_H_
