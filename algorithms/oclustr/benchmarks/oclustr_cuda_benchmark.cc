// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances and initial centers on the GPU, and OClustR with the graph on the
// device already, on the graphs of oclustr_benchmark.cc. Beside the relevances,
// the paper's own kernel (paper_relevance_cuda.h).

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr_cuda.h"
#include "base/status/status_macros.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/benchmarks/paper_relevance_cuda.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "graph/testing/random_star_graph.h"

namespace warpclust {
namespace {

// Arguments: edges drawn.
absl::StatusOr<DeviceGraph> Graph(const benchmark::State& state) {
  return UploadGraph(RandomNeighborhoodGraph(100000, state.range(0), 1));
}

void SetCounters(benchmark::State& state, const DeviceGraph& graph) {
  state.counters["edges"] = static_cast<double>(graph.num_entries / 2);
  state.SetItemsProcessed(state.iterations() * graph.num_entries / 2);
}

void BM_RelevancesCuda(benchmark::State& state) {
  const absl::StatusOr<DeviceGraph> graph = Graph(state);
  if (!graph.ok()) return SkipBenchmark(state, graph.status());
  TimeIterations(
      state, [&] { return RelevancesCuda(*graph); },
      [](const auto&) { return absl::OkStatus(); });
  SetCounters(state, *graph);
}

void BM_PaperRelevancesCuda(benchmark::State& state) {
  const CsrGraph host = RandomNeighborhoodGraph(100000, state.range(0), 1);
  const absl::StatusOr<DeviceGraph> graph = UploadGraph(host);
  if (!graph.ok()) return SkipBenchmark(state, graph.status());
  const std::vector<float> ais = PaperAis(host);
  TimeIterations(
      state, [&] { return PaperRelevances(*graph, ais); },
      [](const auto&) { return absl::OkStatus(); });
  SetCounters(state, *graph);
}

void BM_InitialCentersCuda(benchmark::State& state) {
  const absl::StatusOr<DeviceGraph> graph = Graph(state);
  if (!graph.ok()) return SkipBenchmark(state, graph.status());
  const auto table = RelevancesCuda(*graph);
  if (!table.ok()) return SkipBenchmark(state, table.status());
  TimeIterations(
      state, [&] { return InitialCentersCuda(*graph, *table); },
      [](const auto&) { return absl::OkStatus(); });
  SetCounters(state, *graph);
}

void BM_OClustRCuda(benchmark::State& state) {
  const absl::StatusOr<DeviceGraph> graph = Graph(state);
  if (!graph.ok()) return SkipBenchmark(state, graph.status());
  TimeIterations(
      state, [&] { return OClustRCuda(*graph); },
      [&](const OClustRResult& result) {
        state.counters["clusters"] = result.cover.num_clusters();
        return absl::OkStatus();
      });
  SetCounters(state, *graph);
}

void Sizes(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)->UseRealTime();
  b->Arg(100000)->Arg(10000000);
}

BENCHMARK(BM_RelevancesCuda)->Apply(Sizes);
BENCHMARK(BM_PaperRelevancesCuda)->Apply(Sizes);
BENCHMARK(BM_InitialCentersCuda)->Apply(Sizes);
BENCHMARK(BM_OClustRCuda)->Apply(Sizes);

}  // namespace
}  // namespace warpclust
