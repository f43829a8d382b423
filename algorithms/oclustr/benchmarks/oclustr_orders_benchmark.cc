// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Table 4 of the paper (section 4.1): a collection clustered in its given order
// and in random orders, on the CPU and, if there is one, on the GPU. An
// iteration is one order; the measured time is that of the CPU's cosine graph
// and clustering. Three comparisons of covers, over the orders:
//   devices      CPU and GPU, the same order: identical, or the benchmark fails
//   by_position  another order and the given one. The last tie-breaker of
//                OClustR is a document's position, so this is how much the
//                order of documents changes the clusters; the paper's Table 4
//                is this with the paper's float arithmetic on top
//   by_document  the same, but the graph is brought back to the given order
//                before it is clustered, so ties go by document: identical, or
//                the benchmark fails
// Counters are how many covers are identical, and means and least values of
// FBCubed and overlapping NMI (LFK and max).
//
//   oclustr_orders_benchmark --data=reuters21578_tf.svm.gz --orders=20

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "algorithms/oclustr/oclustr.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/status/status_macros.h"
#include "base/testing/benchmark_program.h"
#include "base/testing/timed_iterations.h"
#include "benchmark/benchmark.h"
#include "eval/cover_agreement.h"
#include "graph/benchmarks/cosine_cases.h"
#include "graph/benchmarks/zipf_documents.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cover/cover.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device/device.h"
#include "sparse/matrix/append_rows.h"
#include "sparse/matrix/document_matrix.h"

ABSL_FLAG(int, orders, 5, "random orders beside the given one");
ABSL_FLAG(uint64_t, seed, 1, "of the random orders");
ABSL_FLAG(std::string, device, "auto",
          "cuda or cpu: with the GPU, or without; auto: if there is one");

namespace warpclust {
namespace {

// Zipf documents, and documents of two terms each in a ring: the ring's
// vertices all tie, so a cover that depends on their positions differs.
DocumentMatrix GeneratedDocuments() {
  ZipfDocumentsOptions shape;
  shape.num_documents = 600;
  shape.num_terms = 400;
  shape.terms_per_document = 12;
  DocumentMatrix documents = ZipfDocuments(shape);
  constexpr int32_t kRing = 50;
  const int32_t first = documents.num_terms;
  for (int32_t d = 0; d < kRing; ++d) {
    const int32_t next = (d + 1) % kRing;
    documents.terms.push_back(first + std::min(d, next));
    documents.terms.push_back(first + std::max(d, next));
    documents.weights.insert(documents.weights.end(), {1, 1});
    documents.offsets.push_back(documents.num_entries());
  }
  documents.num_terms += kRing;
  return documents;
}

// Row i of the result is row order[i] of `documents`.
DocumentMatrix Permuted(const DocumentMatrix& documents,
                        const std::vector<int32_t>& order) {
  DocumentMatrix permuted;
  permuted.num_terms = documents.num_terms;
  for (const int32_t d : order) {
    AppendRows(documents, d, d + 1, &permuted);
  }
  return permuted;
}

// The graph of documents in `order`, its vertices renamed to documents.
CsrGraph Restored(const CsrGraph& graph, const std::vector<int32_t>& order) {
  std::vector<int32_t> positions(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    positions[order[i]] = static_cast<int32_t>(i);
  }
  CsrGraph restored;
  restored.neighbors.reserve(graph.neighbors.size());
  restored.weights.reserve(graph.weights.size());
  std::vector<std::pair<int32_t, float>> row;
  for (const int32_t position : positions) {
    row.clear();
    for (int64_t k = 0; k < graph.Degree(position); ++k) {
      row.emplace_back(order[graph.NeighborsOf(position)[k]],
                       graph.WeightsOf(position)[k]);
    }
    std::sort(row.begin(), row.end());
    for (const auto& [neighbor, weight] : row) {
      restored.neighbors.push_back(neighbor);
      restored.weights.push_back(weight);
    }
    restored.offsets.push_back(static_cast<int64_t>(restored.neighbors.size()));
  }
  return restored;
}

// Sets the counters of a comparison, unless it has no pairs.
void Report(const CoverAgreement& agreement, const std::string& comparison,
            benchmark::State& state) {
  if (agreement.count() == 0) return;
  for (const auto& [name, value] : agreement.Counters()) {
    state.counters[comparison + name] = value;
  }
}

struct Covers {
  // Vertices are positions in the order given.
  Cover by_position;
  // Vertices are documents.
  Cover by_document;
  // Of the cosine graph and the clustering by position.
  double seconds = 0;
};

absl::StatusOr<Covers> ClusterOnCpu(const DocumentMatrix& documents,
                                    const CosineGraphOptions& options,
                                    const std::vector<int32_t>& order) {
  OClustROptions stages;
  stages.device = Device::kCpu;
  Covers covers;
  const double start = BenchmarkClock();
  ASSIGN_OR_RETURN(const CsrGraph graph,
                   CosineGraph(documents, options, Device::kCpu));
  ASSIGN_OR_RETURN(OClustRResult result, OClustR(graph, stages));
  covers.seconds = BenchmarkClock() - start;
  covers.by_position = std::move(result.cover);
  ASSIGN_OR_RETURN(result, OClustR(Restored(graph, order), stages));
  covers.by_document = std::move(result.cover);
  return covers;
}

absl::Status CompareOrders(benchmark::State& state, const CosineCase& input,
                           bool cuda) {
  CosineGraphOptions options;
  options.beta = input.setting.beta;
  const int32_t n = input.documents->num_documents();
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int32_t> given = order;
  std::mt19937_64 random(absl::GetFlag(FLAGS_seed));
  Cover first;
  CoverAgreement devices;
  CoverAgreement by_position;
  CoverAgreement by_document;
  bool is_first = true;
  for (auto _ : state) {
    for (int32_t i = n - 1; i > 0 && !is_first; --i) {
      std::swap(order[i], order[random() % (i + uint64_t{1})]);
    }
    const DocumentMatrix permuted = Permuted(*input.documents, order);
    ASSIGN_OR_RETURN(const Covers cpu, ClusterOnCpu(permuted, options, order));
    state.SetIterationTime(cpu.seconds);
    if (cuda) {
      OClustRDocumentsOptions on_cuda;
      on_cuda.graph = options;
      on_cuda.device = Device::kCuda;
      ASSIGN_OR_RETURN(const OClustRResult result,
                       OClustRDocuments(permuted, on_cuda));
      RETURN_IF_ERROR(devices.Add(cpu.by_position, result.cover, n));
    }
    const Cover cover = RenamedCover(cpu.by_position, order);
    if (std::exchange(is_first, false)) {
      first = cover;
    } else {
      RETURN_IF_ERROR(by_position.Add(first, cover, n));
      RETURN_IF_ERROR(
          by_document.Add(first, RenamedCover(cpu.by_document, given), n));
    }
  }
  Report(devices, "devices", state);
  Report(by_position, "by_position", state);
  Report(by_document, "by_document", state);
  state.counters["documents"] = n;
  state.counters["clusters"] = first.num_clusters();
  state.counters["memberships"] = static_cast<double>(first.num_memberships());
  if (!devices.AllIdentical()) {
    return absl::InternalError("the covers of CPU and GPU differ");
  }
  if (!by_document.AllIdentical()) {
    return absl::InternalError("the covers by document differ");
  }
  return absl::OkStatus();
}

void RunOrders(benchmark::State& state, const CosineCase& input, bool cuda) {
  const absl::Status status = CompareOrders(state, input, cuda);
  if (!status.ok()) SkipBenchmark(state, status);
}

}  // namespace

absl::Status RegisterBenchmarks() {
  ASSIGN_OR_RETURN(Device device, ParseDevice(absl::GetFlag(FLAGS_device)));
  ASSIGN_OR_RETURN(device, ResolveDevice(device));
  ASSIGN_OR_RETURN(const std::vector<CosineSetting> settings, CosineSettings());
  ASSIGN_OR_RETURN(const std::vector<DocumentCollection> collections,
                   DocumentCollections({"reuters21578", "newsgroups20"},
                                       GeneratedDocuments));
  ASSIGN_OR_RETURN(const std::vector<CosineCase> cases,
                   CosineCases(collections, settings));
  for (const CosineCase& input : cases) {
    benchmark::RegisterBenchmark(
        absl::StrCat("OClustROrders/", input.name).c_str(), RunOrders, input,
        device == Device::kCuda)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(1 + std::max(0, absl::GetFlag(FLAGS_orders)));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
