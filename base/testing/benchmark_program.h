// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The main() of every benchmark: Google Benchmark, with data and a place for
// results.
//
//   cosine_graph_benchmark --data=FILE_OR_FOLDER[,...] --out=FOLDER
//
// --data names files, or folders whose files the program chooses from by name;
// --out writes FOLDER/<program>.json beside the table on standard output. All
// flags of Google Benchmark work too (--benchmark_filter=REGEX,
// --benchmark_format=json). A program may define flags of its own by ABSL_FLAG
// and has one function of the caller's:
//
//   absl::Status warpclust::RegisterBenchmarks() {
//     for (const std::string& path : BenchmarkData("_tf.svm.gz")) {
//       benchmark::RegisterBenchmark(...);
//     }
//     return absl::OkStatus();
//   }
//
// A program that only uses BENCHMARK() need not define it.

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

// Registers what depends on flags and data; runs once, after the flags are
// read. An error ends the program with exit code 2.
absl::Status RegisterBenchmarks();

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TESTING_BENCHMARK_PROGRAM_H_
