// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A few new embeddings against stored ones on the CPU. `seconds_per_product` is
// the wall-clock time per stored document, probe and dimension.
//
//   dense_cosine_probe_benchmark --n=100000 --dimensions=768 --probes=1,1000

#include <cstdint>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/dense_cosine_probe.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

ABSL_FLAG(int, n, 2000, "stored documents");
ABSL_FLAG(int, dimensions, 384, "dimensions of a document");
ABSL_FLAG(std::string, beta, "0.7", "smallest cosine of an edge");
ABSL_FLAG(std::vector<std::string>, probes,
          std::vector<std::string>({"1", "16"}), "numbers of new documents");
ABSL_FLAG(std::vector<std::string>, threads,
          std::vector<std::string>({"1", "2"}), "thread counts");

namespace warpclust {
namespace {

struct Case {
  DenseDocuments stored;
  DenseDocuments probes;
  CosineProbeOptions options;
};

void Run(benchmark::State& state, const Case& input) {
  const double seconds = TimeIterations(
      state,
      [&]() -> absl::StatusOr<std::vector<ProbeEdge>> {
        ASSIGN_OR_RETURN(const DenseCosineProbe probe,
                         DenseCosineProbe::Create(input.probes, input.options));
        std::vector<ProbeEdge> edges;
        RETURN_IF_ERROR(probe.Join(input.stored, &edges));
        return edges;
      },
      [&](const std::vector<ProbeEdge>& edges) {
        state.counters["edges"] = static_cast<double>(edges.size());
        return absl::OkStatus();
      });
  state.counters["seconds_per_product"] =
      seconds / static_cast<double>(input.stored.values.size()) /
      input.probes.num_documents();
}

}  // namespace

absl::Status RegisterBenchmarks() {
  ASSIGN_OR_RETURN(const std::vector<int> thread_counts,
                   ParseThreadCounts(absl::GetFlag(FLAGS_threads)));
  Case input;
  ASSIGN_OR_RETURN(input.options.beta, ParseDecimal(absl::GetFlag(FLAGS_beta)));
  const int32_t n = absl::GetFlag(FLAGS_n);
  RandomEmbeddingsOptions options;
  options.dimensions = absl::GetFlag(FLAGS_dimensions);
  options.directions = 1 + n / 20;
  for (const std::string& text : absl::GetFlag(FLAGS_probes)) {
    int32_t probes = 0;
    if (!absl::SimpleAtoi(text, &probes) || probes < 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--probes: expected positive numbers, found \"", text, "\""));
    }
    const DenseDocuments all =
        MakeRandomEmbeddings(options, n + probes, /*num_threads=*/0);
    input.stored = all.Rows(0, n);
    input.probes = all.Rows(n, n + probes);
    for (const int threads : thread_counts) {
      input.options.num_threads = threads;
      benchmark::RegisterBenchmark(
          absl::StrCat("DenseCosineProbe/", n, "x", options.dimensions,
                       "/probes=", probes, "/threads=", threads)
              .c_str(),
          Run, input)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime()
          ->MeasureProcessCPUTime();
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
