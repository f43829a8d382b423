// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/collection_edges.h"

#include <cstddef>
#include <utility>

#include "algorithms/dclustr/stored_edges.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

// Stored documents uploaded to a GPU at a time: ten megabytes of vectors, so
// that uploading them, and not starting kernels, is what takes time, and the
// memory that they are decoded into is soon used again.
constexpr int32_t kBlock = 1 << 14;

}  // namespace

absl::Status EdgesAmongAdded(const DocumentMatrix& added, int32_t first_vertex,
                             const CosineGraphOptions& options, Device device,
                             PccChange* change) {
  const absl::StatusOr<CsrGraph> graph = CosineGraph(added, options, device);
  if (!graph.ok()) return graph.status();
  change->added_edges.reserve(graph->num_edges());
  for (int32_t v = 0; v < graph->num_vertices(); ++v) {
    const absl::Span<const int32_t> neighbors = graph->NeighborsOf(v);
    for (size_t k = 0; k < neighbors.size() && neighbors[k] < v; ++k) {
      change->added_edges.push_back({first_vertex + neighbors[k],
                                     first_vertex + v, graph->WeightsOf(v)[k]});
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<PccChange> CollectionEdges(
    DocumentStore* stored, const TermWeights& weights,
    absl::Span<const int32_t> removed, const DocumentMatrix& added,
    int32_t first_vertex, const CosineGraphOptions& graph, Device device) {
  PccChange change;
  change.num_added = added.num_documents();
  change.removed.assign(removed.begin(), removed.end());
  absl::Status status =
      EdgesAmongAdded(added, first_vertex, graph, device, &change);
  if (!status.ok()) return status;
  if (stored->num_documents() == 0) return change;

  // Probes: the removed documents, then the added ones.
  const absl::StatusOr<DocumentMatrix> removed_counts =
      stored->Vectors(removed, graph.num_threads);
  if (!removed_counts.ok()) return removed_counts.status();
  absl::StatusOr<DocumentMatrix> probes = weights.Weigh(*removed_counts);
  if (!probes.ok()) return probes.status();
  AppendRows(added, 0, added.num_documents(), &*probes);
  if (probes->num_documents() == 0) return change;
  const absl::StatusOr<Device> resolved = ResolveDevice(device);
  if (!resolved.ok()) return resolved.status();
  CosineProbeOptions options;
  options.beta = graph.beta;
  options.integer_arithmetic = graph.integer_decisions;
  options.num_threads = graph.num_threads;
  absl::StatusOr<CosineProbe> probe =
      CosineProbe::Create(*std::move(probes), options, *resolved);
  if (!probe.ok()) return probe.status();

  const StoredEdges stored_edges(removed, first_vertex);
  if (probe->JoinsPieces()) {
    status = stored_edges.AppendAll(stored, weights, graph.num_threads, &*probe,
                                    &change);
    if (!status.ok()) return status;
    return change;
  }
  std::vector<ProbeEdge> edges;
  DocumentMatrix weighed;
  status = stored->ForEachBlock(
      kBlock, graph.num_threads,
      [&](absl::Span<const int32_t> vertices, const DocumentMatrix& counts) {
        // Counts that are weights already are not copied.
        if (!weights.are_counts()) {
          weighed = counts;
          absl::StatusOr<DocumentMatrix> scaled =
              weights.Weigh(std::move(weighed));
          if (!scaled.ok()) return scaled.status();
          weighed = *std::move(scaled);
        }
        edges.clear();
        absl::Status joined =
            probe->Join(weights.are_counts() ? counts : weighed, &edges);
        if (!joined.ok()) return joined;
        stored_edges.Append(vertices, edges, &change);
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  return change;
}

}  // namespace warpclust
