// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/edges/collection_edges.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/machine/aligned_buffer.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_probe.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/cosine/dense/dense_cosine_probe.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device_choice.h"
#include "sparse/dense/owned_dense_rows.h"
#include "sparse/matrix/append_rows.h"

namespace warpclust {
namespace {

// Stored documents uploaded to a GPU at a time: ten megabytes of vectors, so
// that the upload takes longer than starting kernels, and the memory that
// documents are decoded into is soon used again.
constexpr int32_t kBlock = 1 << 14;

// The capacity grows at most by this factor at once, whatever is expected.
constexpr size_t kMostGrowth = 8;

// Makes room for `more` edges. If the capacity must grow, it grows for all
// edges that are expected from those of the first `share` of the documents.
void MakeRoom(size_t more, double share, std::vector<WeightedEdge>* edges) {
  const size_t needed = edges->size() + more;
  if (needed <= edges->capacity()) return;
  const size_t expected =
      static_cast<size_t>(1.1 * static_cast<double>(needed) / share);
  edges->reserve(std::max(
      needed, std::min(std::max(expected, 2 * needed), kMostGrowth * needed)));
  // Saves a page fault per 4 KiB of some tens of megabytes.
  AdviseHugePages(edges->data(), edges->capacity() * sizeof(WeightedEdge));
}

void AppendChange(const PccChange& from, PccChange* change) {
  change->added_edges.insert(change->added_edges.end(),
                             from.added_edges.begin(), from.added_edges.end());
  change->removed_edges.insert(change->removed_edges.end(),
                               from.removed_edges.begin(),
                               from.removed_edges.end());
}

// From the edges of a CosineProbe with stored documents to the edges that come
// and go. Its probes are the removed documents, then the added ones. Edges come
// in the order of the stored documents, with any number of threads.
class StoredEdges {
 public:
  // `removed`, ascending, must outlive this object; the added documents are the
  // vertices from `first_vertex` on.
  StoredEdges(absl::Span<const int32_t> removed, int32_t first_vertex)
      : removed_(removed), first_vertex_(first_vertex) {}

  // Appends `edges`, by row, of the stored documents `vertices`.
  void Append(absl::Span<const int32_t> vertices,
              absl::Span<const ProbeEdge> edges, PccChange* change) const;

  // Appends all edges with the documents of `stored`. `num_threads` threads
  // decode and weigh documents themselves. `probe` must have JoinPieces.
  absl::Status AppendAll(DocumentStore* stored, const TermWeights& weights,
                         const CountedWork& work, int num_threads,
                         CosineProbe* probe, PccChange* change) const;

 private:
  absl::Span<const int32_t> removed_;
  int32_t first_vertex_;
};

void StoredEdges::Append(absl::Span<const int32_t> vertices,
                         absl::Span<const ProbeEdge> edges,
                         PccChange* change) const {
  const int32_t num_removed = static_cast<int32_t>(removed_.size());
  for (size_t e = 0; e < edges.size();) {
    const int32_t row = edges[e].row;
    const int32_t vertex = vertices[row];
    const bool goes =
        std::binary_search(removed_.begin(), removed_.end(), vertex);
    // Edges are in order of their probes, removed documents first.
    for (; e < edges.size() && edges[e].row == row; ++e) {
      const ProbeEdge& edge = edges[e];
      if (edge.probe >= num_removed) {
        if (goes) continue;
        change->added_edges.push_back(
            {vertex, first_vertex_ + (edge.probe - num_removed), edge.cosine});
        continue;
      }
      // An edge between two removed documents is found twice, and each removed
      // document is compared with itself.
      const int32_t gone = removed_[edge.probe];
      if (goes && vertex >= gone) continue;
      change->removed_edges.push_back({vertex, gone, edge.cosine});
    }
  }
}

absl::Status Stopped() {
  return absl::CancelledError("the comparison of documents was stopped");
}

absl::Status StoredEdges::AppendAll(DocumentStore* stored,
                                    const TermWeights& weights,
                                    const CountedWork& work, int num_threads,
                                    CosineProbe* probe,
                                    PccChange* change) const {
  const bool in_order = ResolveThreads(num_threads) == 1;
  const double all_documents = std::max(1, stored->num_documents());
  double documents_before = 0;
  return stored->ForEachPieces([&](const StoredDocumentPieces& stored_pieces) {
    const int64_t n = stored_pieces.size();
    std::vector<std::vector<int32_t>> vertices(n);
    // Several threads finish pieces in any order.
    std::vector<PccChange> changes(in_order ? 0 : n);
    const auto read = [&](int64_t piece, DocumentMatrix* documents) {
      return stored_pieces.Decode(piece, &vertices[piece], documents);
    };
    const auto take = [&](int64_t piece, absl::Span<const ProbeEdge> edges) {
      if (work.stopped()) return Stopped();
      work.Add(static_cast<int64_t>(vertices[piece].size()));
      if (in_order) {
        documents_before += static_cast<double>(vertices[piece].size());
        MakeRoom(edges.size(), documents_before / all_documents,
                 &change->added_edges);
        Append(vertices[piece], edges, change);
      } else {
        changes[piece].added_edges.reserve(edges.size());
        Append(vertices[piece], edges, &changes[piece]);
      }
      return absl::OkStatus();
    };
    absl::Status status = probe->JoinPieces(
        {n, stored_pieces.num_terms(), read, take}, weights.factors());
    if (!status.ok() || in_order) return status;
    size_t found = 0;
    for (int64_t p = 0; p < n; ++p) {
      found += changes[p].added_edges.size();
      documents_before += static_cast<double>(vertices[p].size());
    }
    MakeRoom(found, documents_before / all_documents, &change->added_edges);
    for (const PccChange& of_piece : changes) AppendChange(of_piece, change);
    return absl::OkStatus();
  });
}

CosineProbeOptions ProbeOptions(const CosineGraphOptions& graph) {
  CosineProbeOptions options;
  options.beta = graph.beta;
  options.integer_arithmetic = graph.integer_decisions;
  options.num_threads = graph.num_threads;
  return options;
}

template <typename Documents>
absl::Status AppendEdgesAmong(const Documents& added, int32_t first_vertex,
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

// A change with the edges among the added documents.
template <typename Documents>
absl::StatusOr<PccChange> BeginChange(absl::Span<const int32_t> removed,
                                      const Documents& added,
                                      int32_t first_vertex,
                                      const CosineGraphOptions& graph,
                                      Device device) {
  PccChange change;
  change.num_added = added.num_documents();
  change.removed.assign(removed.begin(), removed.end());
  RETURN_IF_ERROR(
      AppendEdgesAmong(added, first_vertex, graph, device, &change));
  return change;
}

}  // namespace

absl::Status EdgesAmongAdded(const DocumentMatrix& added, int32_t first_vertex,
                             const CosineGraphOptions& options, Device device,
                             PccChange* change) {
  return AppendEdgesAmong(added, first_vertex, options, device, change);
}

absl::StatusOr<PccChange> CollectionEdges(
    DocumentStore* stored, const TermWeights& weights,
    absl::Span<const int32_t> removed, const DocumentMatrix& added,
    int32_t first_vertex, const CosineGraphOptions& graph, Device device) {
  ASSIGN_OR_RETURN(PccChange change,
                   BeginChange(removed, added, first_vertex, graph, device));
  if (stored->num_documents() == 0) return change;

  // Probes: the removed documents, then the added ones.
  ASSIGN_OR_RETURN(const DocumentMatrix removed_counts,
                   stored->Vectors(removed, graph.num_threads));
  ASSIGN_OR_RETURN(DocumentMatrix probes, weights.Weigh(removed_counts));
  AppendRows(added, 0, added.num_documents(), &probes);
  if (probes.num_documents() == 0) return change;
  ASSIGN_OR_RETURN(const Device resolved, ResolveDevice(device));
  ASSIGN_OR_RETURN(
      CosineProbe probe,
      CosineProbe::Create(std::move(probes), ProbeOptions(graph), resolved));

  const StoredEdges stored_edges(removed, first_vertex);
  const CountedWork work(graph.work, stored->num_documents());
  if (probe.JoinsPieces()) {
    RETURN_IF_ERROR(stored_edges.AppendAll(stored, weights, work,
                                           graph.num_threads, &probe, &change));
    return change;
  }
  std::vector<ProbeEdge> edges;
  DocumentMatrix weighed;
  RETURN_IF_ERROR(stored->ForEachBlock(
      kBlock, graph.num_threads,
      [&](absl::Span<const int32_t> vertices, const DocumentMatrix& counts) {
        if (work.stopped()) return Stopped();
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
                                          Device device) {
  ASSIGN_OR_RETURN(PccChange change,
                   BeginChange(removed, added, first_vertex, graph, device));
  if (stored->num_documents() == 0) return change;

  // Probes: the removed documents, then the added ones.
  ASSIGN_OR_RETURN(OwnedDenseRows probes,
                   stored->DenseVectors(removed, graph.num_threads));
  AppendRows(added, 0, added.num_documents(), &probes);
  if (probes.num_documents() == 0) return change;
  const DenseProbeJob job = {stored->num_documents(), probes.num_documents(),
                             stored->num_terms()};
  ASSIGN_OR_RETURN(device,
                   ResolveDevice(device, Expect(job, graph.num_threads)));
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
        if (work.stopped()) return Stopped();
        edges.clear();
        RETURN_IF_ERROR(probe.Join(rows, &edges));
        stored_edges.Append(vertices, edges, &change);
        work.Add(static_cast<int64_t>(vertices.size()));
        return absl::OkStatus();
      }));
  return change;
}

}  // namespace warpclust
