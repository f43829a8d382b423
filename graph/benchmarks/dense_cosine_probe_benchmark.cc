// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A few new embeddings against stored ones on the CPU, and the dot products of
// all pairs in double without a filter, by the same vector code. times_baseline
// is the wall-clock time of that divided by ours, with as many threads.
//
//   dense_cosine_probe_benchmark --n=100000 --dimensions=768 --probes=1,1000

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/numbers/decimal.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/cosine/decision/cosine_decision.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/dense_cosine_probe.h"
#include "graph/cosine/dense/exact_dense_dots.h"
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

// Wall-clock seconds of the last baseline.
double g_baseline_seconds = 0;

int64_t CountEdges(const Case& input) {
  const DenseDocuments& stored = input.stored;
  const DenseDocuments& probes = input.probes;
  const int num_threads = ResolveThreads(input.options.num_threads);
  const std::vector<double> norms = SquaredNorms(stored, num_threads);
  const std::vector<double> probe_norms = SquaredNorms(probes, num_threads);
  const CosineDecision decision =
      MakeCosineDecision(input.options.beta, /*integer_weights=*/false, 0);
  const int32_t n = stored.num_documents();
  int64_t edges = 0;
#pragma omp parallel for num_threads(num_threads) reduction(+ : edges)
  for (int32_t first = 0; first < n; first += kDenseDots) {
    const float* rows[kDenseDots];
    const float* columns[kDenseDots];
    double dots[kDenseDots];
    const int32_t count = std::min(kDenseDots, n - first);
    for (int32_t k = 0; k < kDenseDots; ++k) {
      rows[k] = stored.Row(first + std::min(k, count - 1)).data();
    }
    for (int32_t p = 0; p < probes.num_documents(); ++p) {
      std::fill_n(columns, kDenseDots, probes.Row(p).data());
      ExactDenseDots(rows, columns, stored.num_dimensions, dots);
      for (int32_t k = 0; k < count; ++k) {
        edges += decision.Reaches(dots[k], norms[first + k], probe_norms[p]);
      }
    }
  }
  return edges;
}

void RunBaseline(benchmark::State& state, const Case& input) {
  g_baseline_seconds = TimeIterations(
      state, [&]() -> absl::StatusOr<int64_t> { return CountEdges(input); },
      [&](int64_t edges) {
        state.counters["edges"] = static_cast<double>(edges);
        return absl::OkStatus();
      });
}

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
  if (seconds > 0) {
    state.counters["times_baseline"] = g_baseline_seconds / seconds;
  }
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
      for (const bool ours : {false, true}) {
        benchmark::RegisterBenchmark(
            absl::StrCat("DenseCosineProbe/", n, "x", options.dimensions,
                         "/probes=", probes, ours ? "/ours" : "/plain",
                         "/threads=", threads)
                .c_str(),
            ours ? Run : RunBaseline, input)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime()
            ->MeasureProcessCPUTime();
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
