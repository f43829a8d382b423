// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances and initial centers on the GPU, and OClustR with the graph on the
// device already, on the graphs of oclustr_benchmark.cc.

#include <string>
#include <vector>

#include "algorithms/oclustr/oclustr_cuda.h"
#include "benchmark/benchmark.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "graph/testing/random_star_graph.h"

namespace warpclust {
namespace {

absl::StatusOr<DeviceGraph> Graph(const benchmark::State& state) {
  return UploadGraph(RandomNeighborhoodGraph(100000, state.range(0), 1));
}

void BM_RelevancesCuda(benchmark::State& state) {
  const absl::StatusOr<DeviceGraph> graph = Graph(state);
  if (!graph.ok()) {
    state.SkipWithError(std::string(graph.status().message()).c_str());
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(RelevancesCuda(*graph));
  state.SetItemsProcessed(state.iterations() * graph->num_entries / 2);
}

void BM_InitialCentersCuda(benchmark::State& state) {
  const absl::StatusOr<DeviceGraph> graph = Graph(state);
  if (!graph.ok()) {
    state.SkipWithError(std::string(graph.status().message()).c_str());
    return;
  }
  const RelevanceTable table = *RelevancesCuda(*graph);
  for (auto _ : state) {
    const std::vector<int32_t> centers = *InitialCentersCuda(*graph, table);
    benchmark::DoNotOptimize(GatherRowsCuda(*graph, table, centers));
  }
  state.SetItemsProcessed(state.iterations() * graph->num_entries / 2);
}

void BM_OClustRCuda(benchmark::State& state) {
  const absl::StatusOr<DeviceGraph> graph = Graph(state);
  if (!graph.ok()) {
    state.SkipWithError(std::string(graph.status().message()).c_str());
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(OClustRCuda(*graph));
  state.SetItemsProcessed(state.iterations() * graph->num_entries / 2);
}

BENCHMARK(BM_RelevancesCuda)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Arg(100000)
    ->Arg(10000000);
BENCHMARK(BM_InitialCentersCuda)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Arg(100000)
    ->Arg(10000000);
BENCHMARK(BM_OClustRCuda)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Arg(100000)
    ->Arg(10000000);

}  // namespace
}  // namespace warpclust
