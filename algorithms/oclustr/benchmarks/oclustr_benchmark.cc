// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The stages of OClustR on a generated graph of 100,000 vertices, on the CPU.
// Arguments: edges drawn, threads. Rates are edges per second.

#include <map>
#include <vector>

#include "algorithms/oclustr/oclustr.h"
#include "benchmark/benchmark.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/testing/random_star_graph.h"

namespace warpclust {
namespace {

constexpr int32_t kVertices = 100000;

const CsrGraph& Graph(int64_t edges) {
  static auto& graphs = *new std::map<int64_t, CsrGraph>();
  auto it = graphs.find(edges);
  if (it == graphs.end()) {
    it = graphs.emplace(edges, RandomNeighborhoodGraph(kVertices, edges, 1))
             .first;
  }
  return it->second;
}

void SetCounters(benchmark::State& state, const CsrGraph& graph) {
  state.counters["edges"] = static_cast<double>(graph.num_edges());
  state.SetItemsProcessed(state.iterations() * graph.num_edges());
}

void BM_Relevances(benchmark::State& state) {
  const CsrGraph& graph = Graph(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        RelevancesCpu(graph, static_cast<int>(state.range(1))));
  }
  SetCounters(state, graph);
}

void BM_InitialCenters(benchmark::State& state) {
  const CsrGraph& graph = Graph(state.range(0));
  const RelevanceTable table = *RelevancesCpu(graph);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        InitialCenters(graph, table, static_cast<int>(state.range(1))));
  }
  SetCounters(state, graph);
}

void BM_UsefulClusters(benchmark::State& state) {
  const CsrGraph& graph = Graph(state.range(0));
  const RelevanceTable table = *RelevancesCpu(graph);
  const std::vector<int32_t> centers = InitialCenters(graph, table);
  for (auto _ : state) {
    const OClustRResult result = OClustRFromCenters(
        table, centers, [&](int32_t v) { return graph.NeighborsOf(v); },
        static_cast<int>(state.range(1)));
    benchmark::DoNotOptimize(result.cover.members.data());
    state.counters["initial"] = result.num_initial_centers;
    state.counters["clusters"] = result.cover.num_clusters();
    state.counters["memberships"] = result.cover.num_memberships();
  }
  SetCounters(state, graph);
}

void BM_OClustR(benchmark::State& state) {
  const CsrGraph& graph = Graph(state.range(0));
  OClustROptions options;
  options.device = Device::kCpu;
  options.num_threads = static_cast<int>(state.range(1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(OClustR(graph, options));
  }
  SetCounters(state, graph);
}

void Sizes(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
  for (const int64_t edges : {100000, 10000000}) {
    for (const int threads : {1, 2}) b->Args({edges, threads});
  }
}

BENCHMARK(BM_Relevances)->Apply(Sizes);
BENCHMARK(BM_InitialCenters)->Apply(Sizes);
BENCHMARK(BM_UsefulClusters)->Apply(Sizes);
BENCHMARK(BM_OClustR)->Apply(Sizes);

}  // namespace
}  // namespace warpclust
