// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The main() of every benchmark: Google Benchmark, with data and a place for
// results.
//
//   cosine_graph_benchmark --data=FILE_OR_FOLDER[,...] --out=FOLDER
//
// --data names files, or folders; from these, and the folders in them, the
// program chooses files by name.
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
//
// Exit codes: 0 ok; 1 if a benchmark called SkipWithError, except with a
// message that begins with "skipped:"; 2 if RegisterBenchmarks fails.

#ifndef WARPCLUST_BASE_TESTING_BENCHMARK_PROGRAM_H_
#define WARPCLUST_BASE_TESTING_BENCHMARK_PROGRAM_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// The files that --data names, and those below its folders whose names end in
// `suffix`, sorted by path within a folder. Empty without --data.
std::vector<std::string> BenchmarkData(absl::string_view suffix);

// The same for several suffixes: those of a folder in the order of `suffixes`.
std::vector<std::string> BenchmarkFiles(
    const std::vector<std::string>& suffixes);

// What benchmarks on the file are called: its name up to the first dot, without
// a final "_tf". "docs/reuters21578_tf.svm.gz": "reuters21578".
std::string BenchmarkDataName(const std::string& path);

// The numbers of a flag --threads=1,2,0.
absl::StatusOr<std::vector<int>> ParseThreadCounts(
    const std::vector<std::string>& texts);

// Registers what depends on flags and data; runs once, after the flags are
// read. An error ends the program with exit code 2.
absl::Status RegisterBenchmarks();

}  // namespace warpclust

#endif  // WARPCLUST_BASE_TESTING_BENCHMARK_PROGRAM_H_
