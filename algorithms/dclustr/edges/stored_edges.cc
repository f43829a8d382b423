// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/edges/stored_edges.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/machine/aligned_buffer.h"
#include "base/machine/threads.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// At most so many times the capacity at once, whatever is expected.
constexpr size_t kMostGrowth = 8;

// Room for `more` edges, and if there is none for as many as there will be if
// the documents to come have as many as the `share` of them before.
void MakeRoom(size_t more, double share, std::vector<WeightedEdge>* edges) {
  const size_t needed = edges->size() + more;
  if (needed <= edges->capacity()) return;
  const size_t expected =
      static_cast<size_t>(1.1 * static_cast<double>(needed) / share);
  edges->reserve(std::max(
      needed, std::min(std::max(expected, 2 * needed), kMostGrowth * needed)));
  // Of some tens of megabytes each page is touched once, a fault each time.
  AdviseHugePages(edges->data(), edges->capacity() * sizeof(WeightedEdge));
}

void AppendChange(const PccChange& from, PccChange* change) {
  change->added_edges.insert(change->added_edges.end(),
                             from.added_edges.begin(), from.added_edges.end());
  change->removed_edges.insert(change->removed_edges.end(),
                               from.removed_edges.begin(),
                               from.removed_edges.end());
}

}  // namespace

void StoredEdges::Append(absl::Span<const int32_t> vertices,
                         absl::Span<const ProbeEdge> edges,
                         PccChange* change) const {
  const int32_t num_removed = static_cast<int32_t>(removed_.size());
  for (size_t e = 0; e < edges.size();) {
    const int32_t row = edges[e].row;
    const int32_t vertex = vertices[row];
    const bool goes =
        std::binary_search(removed_.begin(), removed_.end(), vertex);
    // By probe: the removed ones first.
    for (; e < edges.size() && edges[e].row == row; ++e) {
      const ProbeEdge& edge = edges[e];
      if (edge.probe >= num_removed) {
        if (goes) continue;
        change->added_edges.push_back(
            {vertex, first_vertex_ + (edge.probe - num_removed), edge.cosine});
        continue;
      }
      // Of two that go the edge comes up twice, and each meets itself.
      const int32_t gone = removed_[edge.probe];
      if (goes && vertex >= gone) continue;
      change->removed_edges.push_back({vertex, gone, edge.cosine});
    }
  }
}

absl::Status StoredEdges::AppendAll(DocumentStore* stored,
                                    const TermWeights& weights, int num_threads,
                                    CosineProbe* probe,
                                    PccChange* change) const {
  const bool in_order = ResolveThreads(num_threads) == 1;
  const double all_documents = std::max(1, stored->num_documents());
  double documents_before = 0;
  return stored->ForEachPieces([&](const StoredDocumentPieces& stored_pieces) {
    const int64_t n = stored_pieces.size();
    std::vector<std::vector<int32_t>> vertices(n);
    // Several threads are done with the pieces in any order.
    std::vector<PccChange> changes(in_order ? 0 : n);
    const auto read = [&](int64_t piece, DocumentMatrix* documents) {
      return stored_pieces.Decode(piece, &vertices[piece], documents);
    };
    const auto take = [&](int64_t piece, absl::Span<const ProbeEdge> edges) {
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

}  // namespace warpclust
