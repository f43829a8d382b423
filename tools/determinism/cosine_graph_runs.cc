// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "algorithms/dclustr/edges/comparison_on_ranks.h"
#include "base/communicator/communicator.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/dense_cosine_probe.h"
#include "graph/cosine/exact_cosines.h"
#include "graph/csr/csr_graph.h"
#include "graph/io/edge_list_writer.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/weighting/weighting.h"
#include "tools/determinism/digest.h"
#include "tools/determinism/runs.h"

namespace warpclust {
namespace {

// Of embeddings.
constexpr char kDenseBeta[] = "0.7";

absl::StatusOr<uint64_t> GraphDigest(const absl::StatusOr<CsrGraph>& built,
                                     ExactWeights exact, int threads) {
  RETURN_IF_ERROR(built.status());
  const CsrGraph& graph = *built;
  Digest digest;
  digest.Array(graph.offsets);
  digest.Array(graph.neighbors);
  digest.Array(graph.weights);
  RETURN_IF_ERROR(
      WriteEdgeList(graph, {}, exact,
                    [&digest](absl::string_view text) { digest.Text(text); },
                    {.num_threads = threads}));
  return digest.value();
}

// With every device and number of threads, and shared among ranks. `exact`
// gives the weights by the number of threads.
template <typename Documents, typename Exact>
absl::Status RunGraph(const RunGroup& group, const Documents& documents,
                      const CosineGraphOptions& options, const Exact& exact,
                      DeterminismRunner* runner) {
  const auto with = [&options](int threads) {
    CosineGraphOptions copy = options;
    copy.num_threads = threads;
    return copy;
  };
  RETURN_IF_ERROR(runner->Run(group, {}, [&](Device device, int threads) {
    return GraphDigest(CosineGraph(documents, with(threads), device),
                       exact(threads), threads);
  }));
  return runner->RunOnRanks(
      group,
      {.method = "shares of documents", .devices = RunWay::Devices::kCpu},
      [&](Device, Communicator& ranks) -> absl::StatusOr<uint64_t> {
        if (ranks.rank() > 0) {
          RETURN_IF_ERROR(FollowComparisons(ranks, /*num_threads=*/1));
          return 0;
        }
        ASSIGN_OR_RETURN(
            const uint64_t digest,
            GraphDigest(CosineGraphOnRanks(ranks, documents, with(1)), exact(1),
                        /*threads=*/1));
        RETURN_IF_ERROR(EndComparisons(ranks));
        return digest;
      });
}

uint64_t EdgesDigest(const std::vector<ProbeEdge>& edges) {
  Digest digest;
  for (const ProbeEdge& edge : edges) {
    digest.Number(edge.row);
    digest.Number(edge.probe);
    digest.Number(edge.cosine);
  }
  return digest.value();
}

// The edges of the graph between its first `stored` documents and the others.
std::vector<ProbeEdge> EdgesAcross(const CsrGraph& graph, int32_t stored) {
  std::vector<ProbeEdge> edges;
  for (int32_t row = 0; row < stored; ++row) {
    const absl::Span<const int32_t> neighbors = graph.NeighborsOf(row);
    for (size_t k = 0; k < neighbors.size(); ++k) {
      if (neighbors[k] < stored) continue;
      edges.push_back({row, neighbors[k] - stored, graph.WeightsOf(row)[k]});
    }
  }
  return edges;
}

// The edges of `probes` with `stored`, which come `batch` at a time.
absl::StatusOr<std::vector<ProbeEdge>> ProbeEdges(const DenseDocuments& stored,
                                                  const DenseDocuments& probes,
                                                  int32_t batch, Device device,
                                                  int threads) {
  CosineProbeOptions options;
  options.beta = kDenseBeta;
  options.num_threads = threads;
  ASSIGN_OR_RETURN(const DenseCosineProbe probe,
                   DenseCosineProbe::Create(probes, options, device));
  std::vector<ProbeEdge> edges;
  for (int32_t begin = 0; begin < stored.num_documents(); begin += batch) {
    const size_t before = edges.size();
    RETURN_IF_ERROR(probe.Join(
        stored.Rows(begin, std::min(begin + batch, stored.num_documents())),
        &edges));
    for (size_t e = before; e < edges.size(); ++e) edges[e].row += begin;
  }
  return edges;
}

absl::Status RunDenseGraph(const EmbeddingsInput& input,
                           DeterminismRunner* runner) {
  const DenseDocuments& rows = input.rows;
  const auto options = [](int threads) {
    CosineGraphOptions graph;
    graph.beta = kDenseBeta;
    graph.integer_decisions = false;
    graph.num_threads = threads;
    return graph;
  };
  const std::string setting = absl::StrCat("embeddings, beta ", kDenseBeta);
  RETURN_IF_ERROR(RunGraph(
      {"cosine graph", input.name, setting}, rows, options(0),
      [&](int threads) { return ExactDenseCosines(rows, threads); }, runner));

  // The last quarter is new.
  const int32_t n = rows.num_documents();
  const int32_t stored = n - n / 4;
  const RunGroup group = {"cosine probe", input.name, setting};
  RETURN_IF_ERROR(runner->Run(
      group, {.method = "graph"},
      [&](Device device, int threads) -> absl::StatusOr<uint64_t> {
        ASSIGN_OR_RETURN(const CsrGraph graph,
                         CosineGraph(rows, options(threads), device));
        return EdgesDigest(EdgesAcross(graph, stored));
      }));
  struct Batch {
    int32_t size;
    const char* name;
  };
  for (const Batch& batch :
       {Batch{1, "1"}, {100, "100"}, {std::max(stored, 1), "n"}}) {
    RunWay way = {.method = "probe", .batch = batch.name};
    // A thousand uploads show nothing more.
    if (batch.size == 1) way.devices = RunWay::Devices::kCpu;
    RETURN_IF_ERROR(runner->Run(
        group, way,
        [&](Device device, int threads) -> absl::StatusOr<uint64_t> {
          ASSIGN_OR_RETURN(
              const std::vector<ProbeEdge> edges,
              ProbeEdges(rows.Rows(0, stored), rows.Rows(stored, n), batch.size,
                         device, threads));
          return EdgesDigest(edges);
        }));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunCosineGraph(const DeterminismInputs& inputs,
                            DeterminismRunner* runner) {
  const DocumentsInput& input = inputs.documents;
  for (const Weighting weighting : {Weighting::kTf, Weighting::kTfIdf}) {
    ASSIGN_OR_RETURN(const DocumentMatrix documents,
                     ApplyWeighting(input.counts, weighting));
    const bool integers = HasIntegerWeights(documents);
    for (const bool integer_decisions : {true, false}) {
      if (integer_decisions && !integers) continue;
      CosineGraphOptions options;
      options.integer_decisions = integer_decisions;
      RETURN_IF_ERROR(RunGraph(
          {"cosine graph", input.name,
           absl::StrCat(WeightingName(weighting), ", beta 0.25, ",
                        integer_decisions ? "integers" : "reals")},
          documents, options,
          [&](int /*threads*/) { return ExactCosines(documents); }, runner));
    }
  }
  return RunDenseGraph(inputs.embeddings, runner);
}

}  // namespace warpclust
