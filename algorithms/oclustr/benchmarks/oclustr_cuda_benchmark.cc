// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances and initial centers on the GPU, and OClustR with the graph on the
// device already, on the graphs of oclustr_benchmark.cc. Beside the relevances,
// the paper's own kernel (paper_relevance_cuda.h). And OClustR from embeddings,
// 20 of each direction, β 0.7: from rows on the device to the clusters on the
// host, and from rows on the host.

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr_cuda.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/status/status_macros.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "graph/benchmarks/paper_relevance_cuda.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/device_relevances.h"
#include "graph/stars/cuda/relevance_cuda.h"
#include "graph/testing/random_star_graph.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

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
  const auto relevances = RelevancesOnDevice(*graph);
  if (!relevances.ok()) return SkipBenchmark(state, relevances.status());
  TimeIterations(
      state, [&] { return InitialCentersCuda(*graph, *relevances); },
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

// Arguments: rows, dimensions. The rows of the last size asked for.
const DenseDocuments& Embeddings(const benchmark::State& state) {
  static auto& held = *new DenseDocuments();
  if (held.num_rows != state.range(0) ||
      held.num_dimensions != state.range(1)) {
    RandomEmbeddingsOptions shape;
    shape.dimensions = static_cast<int32_t>(state.range(1));
    const auto rows = static_cast<int32_t>(state.range(0));
    shape.directions = std::max(1, rows / 20);
    held = DenseDocuments();
    held = MakeRandomEmbeddings(shape, rows, /*num_threads=*/0);
  }
  return held;
}

// Means of the phases in milliseconds, and `first`: the job as the process met
// it, with kernels to load, memory and threads to get.
template <typename Job>
void TimeJob(benchmark::State& state, const Job& job) {
  static auto& first_seconds =
      *new std::map<std::pair<int64_t, int64_t>, double>();
  const auto [first, is_first] =
      first_seconds.insert({{state.range(0), state.range(1)}, 0});
  if (is_first) {
    const double start = BenchmarkClock();
    const absl::Status status = job().status();
    first->second = BenchmarkClock() - start;
    if (!status.ok()) return SkipBenchmark(state, status);
  }
  OClustRSeconds sum;
  TimeIterations(state, job, [&](const OClustRResult& result) {
    sum.graph += result.seconds.graph;
    sum.relevance += result.seconds.relevance;
    sum.covering += result.seconds.covering;
    sum.useful += result.seconds.useful;
    state.counters["edges"] = static_cast<double>(result.num_edges);
    state.counters["clusters"] = result.cover.num_clusters();
    return absl::OkStatus();
  });
  const double to_mean = 1e3 / static_cast<double>(state.iterations());
  state.counters["first_ms"] = 1e3 * first->second;
  state.counters["graph_ms"] = sum.graph * to_mean;
  state.counters["relevance_ms"] = sum.relevance * to_mean;
  state.counters["covering_ms"] = sum.covering * to_mean;
  state.counters["useful_ms"] = sum.useful * to_mean;
}

CosineGraphOptions EmbeddingOptions() {
  CosineGraphOptions options;
  options.beta = "0.7";
  return options;
}

void BM_OClustREmbeddingsOnDevice(benchmark::State& state) {
  const absl::StatusOr<DeviceDenseDocuments> documents =
      UploadDenseDocuments(Embeddings(state));
  if (!documents.ok()) return SkipBenchmark(state, documents.status());
  TimeJob(state,
          [&] { return OClustRDocuments(*documents, EmbeddingOptions()); });
}

void BM_OClustREmbeddingsWithUpload(benchmark::State& state) {
  const DenseDocuments& documents = Embeddings(state);
  OClustRDocumentsOptions options;
  options.graph = EmbeddingOptions();
  options.device = Device::kCuda;
  TimeJob(state, [&] { return OClustRDocuments(documents, options); });
}

void EmbeddingSizes(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)->UseManualTime();
  b->Args({100000, 384})->Args({1000000, 384});
}

void Sizes(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)->UseRealTime();
  b->Arg(100000)->Arg(10000000);
}

BENCHMARK(BM_OClustREmbeddingsOnDevice)->Apply(EmbeddingSizes);
BENCHMARK(BM_OClustREmbeddingsWithUpload)->Apply(EmbeddingSizes);
BENCHMARK(BM_RelevancesCuda)->Apply(Sizes);
BENCHMARK(BM_PaperRelevancesCuda)->Apply(Sizes);
BENCHMARK(BM_InitialCentersCuda)->Apply(Sizes);
BENCHMARK(BM_OClustRCuda)->Apply(Sizes);

}  // namespace
}  // namespace warpclust
