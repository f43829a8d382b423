// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/edges/collection_edges.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "algorithms/dclustr/edges/comparison_on_ranks.h"
#include "algorithms/dclustr/edges/stored_edges.h"
#include "base/machine/stopwatch.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/dense_cosine_probe.h"
#include "graph/pcc_store/documents/stored_document_blocks.h"
#include "kernels/device/device_choice.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

// Stored documents uploaded to a GPU at a time: ten megabytes of vectors, so
// that the upload takes longer than starting kernels, and the memory that
// documents are decoded into is soon used again.
constexpr int32_t kBlock = 1 << 14;

template <typename Documents>
absl::StatusOr<CsrGraph> GraphAt(const ComparisonPlace& place,
                                 const Documents& documents,
                                 const CosineGraphOptions& options) {
  return place.is_shared() && documents.num_documents() > 0
             ? CosineGraphOnRanks(*place.ranks, documents, options)
             : CosineGraph(documents, options, place.device);
}

template <typename Documents>
absl::Status AppendEdgesAmong(const Documents& added, int32_t first_vertex,
                              const CosineGraphOptions& options,
                              const ComparisonPlace& place, PccChange* change) {
  ASSIGN_OR_RETURN(const CsrGraph graph, CosineGraphAt(place, added, options));
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

// A change with the edges among the added documents.
template <typename Documents>
absl::StatusOr<PccChange> BeginChange(absl::Span<const int32_t> removed,
                                      const Documents& added,
                                      int32_t first_vertex,
                                      const CosineGraphOptions& graph,
                                      const ComparisonPlace& place) {
  PccChange change;
  change.num_added = added.num_documents();
  change.removed.assign(removed.begin(), removed.end());
  RETURN_IF_ERROR(AppendEdgesAmong(added, first_vertex, graph, place, &change));
  return change;
}

}  // namespace

absl::StatusOr<CsrGraph> CosineGraphAt(const ComparisonPlace& place,
                                       const DocumentMatrix& documents,
                                       const CosineGraphOptions& options) {
  return GraphAt(place, documents, options);
}

absl::StatusOr<CsrGraph> CosineGraphAt(const ComparisonPlace& place,
                                       const DenseDocuments& documents,
                                       const CosineGraphOptions& options) {
  return GraphAt(place, documents, options);
}

absl::Status EdgesAmongAdded(const DocumentMatrix& added, int32_t first_vertex,
                             const CosineGraphOptions& options,
                             const ComparisonPlace& place, PccChange* change) {
  return AppendEdgesAmong(added, first_vertex, options, place, change);
}

absl::StatusOr<PccChange> CollectionEdges(DocumentStore* stored,
                                          const TermWeights& weights,
                                          absl::Span<const int32_t> removed,
                                          const DocumentMatrix& added,
                                          int32_t first_vertex,
                                          const CosineGraphOptions& graph,
                                          const ComparisonPlace& place) {
  ASSIGN_OR_RETURN(PccChange change,
                   BeginChange(removed, added, first_vertex, graph, place));
  if (stored->num_documents() == 0) return change;

  // Probes: the removed documents, then the added ones.
  ASSIGN_OR_RETURN(const DocumentMatrix removed_counts,
                   stored->Vectors(removed, graph.num_threads));
  ASSIGN_OR_RETURN(DocumentMatrix probes, weights.Weigh(removed_counts));
  AppendRows(added, 0, added.num_documents(), &probes);
  if (probes.num_documents() == 0) return change;
  if (place.is_shared()) {
    RETURN_IF_ERROR(StoredEdgesOnRanks(*place.ranks, stored, weights.factors(),
                                       probes, first_vertex, graph, &change));
    return change;
  }
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const Device resolved, ResolveDevice(place.device));
  ASSIGN_OR_RETURN(
      CosineProbe probe,
      CosineProbe::Create(std::move(probes), ProbeOptions(graph), resolved));
  stopwatch.Lap("index of probes");

  const StoredEdges stored_edges(removed, first_vertex);
  const CountedWork work(graph.work, stored->num_documents());
  if (probe.PieceDocuments() > 0) {
    EdgeRoom room(stored->num_documents());
    RETURN_IF_ERROR(stored->ForEachPieces(
        probe.PieceDocuments(), graph.num_threads,
        [&](const StoredDocumentPieces& pieces) {
          return stored_edges.AppendPieces(pieces, weights.factors(), work,
                                           graph.num_threads, &probe, &room,
                                           &change);
        }));
    return change;
  }
  std::vector<ProbeEdge> edges;
  DocumentMatrix weighed;
  RETURN_IF_ERROR(stored->ForEachBlock(
      kBlock, graph.num_threads,
      [&](absl::Span<const int32_t> vertices, const DocumentMatrix& counts) {
        if (work.stopped()) return ComparisonStopped();
        // Counts that are weights already are not copied.
        if (!weights.are_counts()) {
          weighed = counts;
          ASSIGN_OR_RETURN(weighed, weights.Weigh(std::move(weighed)));
        }
        edges.clear();
        RETURN_IF_ERROR(
            probe.Join(weights.are_counts() ? counts : weighed, &edges));
        stored_edges.Append(vertices, edges, &change);
        work.Add(static_cast<int64_t>(vertices.size()));
        return absl::OkStatus();
      }));
  return change;
}

absl::StatusOr<PccChange> CollectionEdges(DocumentStore* stored,
                                          absl::Span<const int32_t> removed,
                                          const DenseDocuments& added,
                                          int32_t first_vertex,
                                          const CosineGraphOptions& graph,
                                          const ComparisonPlace& place) {
  ASSIGN_OR_RETURN(PccChange change,
                   BeginChange(removed, added, first_vertex, graph, place));
  if (stored->num_documents() == 0) return change;

  // Probes: the removed documents, then the added ones.
  ASSIGN_OR_RETURN(OwnedDenseRows probes,
                   stored->DenseVectors(removed, graph.num_threads));
  AppendRows(added, 0, added.num_documents(), &probes);
  if (probes.num_documents() == 0) return change;
  if (place.is_shared()) {
    RETURN_IF_ERROR(StoredEdgesOnRanks(*place.ranks, stored,
                                       DenseDocuments(probes), first_vertex,
                                       graph, &change));
    return change;
  }
  const DenseProbeJob job = {stored->num_documents(), probes.num_documents(),
                             stored->num_terms()};
  ASSIGN_OR_RETURN(const Device device,
                   ResolveDevice(place.device, Expect(job, graph.num_threads)));
  ASSIGN_OR_RETURN(
      const DenseCosineProbe probe,
      DenseCosineProbe::Create(MakeDenseDocuments(std::move(probes)),
                               ProbeOptions(graph), device));
  const StoredEdges stored_edges(removed, first_vertex);
  const CountedWork work(graph.work, stored->num_documents());
  std::vector<ProbeEdge> edges;
  RETURN_IF_ERROR(stored->ForEachDenseBlock(
      probe.BlockValues(), graph.num_threads,
      [&](absl::Span<const int32_t> vertices, const DenseDocuments& rows) {
        if (work.stopped()) return ComparisonStopped();
        edges.clear();
        RETURN_IF_ERROR(probe.Join(rows, &edges));
        stored_edges.Append(vertices, edges, &change);
        work.Add(static_cast<int64_t>(vertices.size()));
        return absl::OkStatus();
      }));
  return change;
}

}  // namespace warpclust
