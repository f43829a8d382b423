// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/edges/collection_edges.h"

#include <cstddef>
#include <utility>

#include "algorithms/dclustr/edges/stored_edges.h"
#include "base/status/status_macros.h"
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
  ASSIGN_OR_RETURN(const CsrGraph graph, CosineGraph(added, options, device));
  change->added_edges.reserve(graph.num_edges());
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    const absl::Span<const int32_t> neighbors = graph.NeighborsOf(v);
    for (size_t k = 0; k < neighbors.size() && neighbors[k] < v; ++k) {
      change->added_edges.push_back({first_vertex + neighbors[k],
                                     first_vertex + v, graph.WeightsOf(v)[k]});
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
  RETURN_IF_ERROR(EdgesAmongAdded(added, first_vertex, graph, device, &change));
  if (stored->num_documents() == 0) return change;

  // Probes: the removed documents, then the added ones.
  ASSIGN_OR_RETURN(const DocumentMatrix removed_counts,
                   stored->Vectors(removed, graph.num_threads));
  ASSIGN_OR_RETURN(DocumentMatrix probes, weights.Weigh(removed_counts));
  AppendRows(added, 0, added.num_documents(), &probes);
  if (probes.num_documents() == 0) return change;
  ASSIGN_OR_RETURN(const Device resolved, ResolveDevice(device));
  CosineProbeOptions options;
  options.beta = graph.beta;
  options.integer_arithmetic = graph.integer_decisions;
  options.num_threads = graph.num_threads;
  ASSIGN_OR_RETURN(CosineProbe probe,
                   CosineProbe::Create(std::move(probes), options, resolved));

  const StoredEdges stored_edges(removed, first_vertex);
  if (probe.JoinsPieces()) {
    RETURN_IF_ERROR(stored_edges.AppendAll(stored, weights, graph.num_threads,
                                           &probe, &change));
    return change;
  }
  std::vector<ProbeEdge> edges;
  DocumentMatrix weighed;
  RETURN_IF_ERROR(stored->ForEachBlock(
      kBlock, graph.num_threads,
      [&](absl::Span<const int32_t> vertices, const DocumentMatrix& counts) {
        // Counts that are weights already are not copied.
        if (!weights.are_counts()) {
          weighed = counts;
          ASSIGN_OR_RETURN(DocumentMatrix scaled,
                           weights.Weigh(std::move(weighed)));
          weighed = std::move(scaled);
        }
        edges.clear();
        RETURN_IF_ERROR(
            probe.Join(weights.are_counts() ? counts : weighed, &edges));
        stored_edges.Append(vertices, edges, &change);
        return absl::OkStatus();
      }));
  return change;
}

}  // namespace warpclust
