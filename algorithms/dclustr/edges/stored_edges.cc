// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/edges/stored_edges.h"

#include <algorithm>

#include "base/machine/aligned_buffer.h"
#include "base/machine/threads.h"

namespace warpclust {
namespace {

// The capacity grows at most by this factor at once, whatever is expected.
constexpr size_t kMostGrowth = 8;

}  // namespace

CosineProbeOptions ProbeOptions(const CosineGraphOptions& graph) {
  CosineProbeOptions options;
  options.beta = graph.beta;
  options.integer_arithmetic = graph.integer_decisions;
  options.num_threads = graph.num_threads;
  return options;
}

absl::Status ComparisonStopped() {
  return absl::CancelledError("the comparison of documents was stopped");
}

void AppendEdges(const PccChange& from, PccChange* change) {
  change->added_edges.insert(change->added_edges.end(),
                             from.added_edges.begin(), from.added_edges.end());
  change->removed_edges.insert(change->removed_edges.end(),
                               from.removed_edges.begin(),
                               from.removed_edges.end());
}

EdgeRoom::EdgeRoom(int32_t num_documents)
    : all_documents_(std::max(1, num_documents)) {}

void EdgeRoom::Make(size_t more, size_t num_documents,
                    std::vector<WeightedEdge>* edges) {
  documents_before_ += static_cast<double>(num_documents);
  const size_t needed = edges->size() + more;
  if (needed <= edges->capacity()) return;
  const size_t expected = static_cast<size_t>(
      1.1 * static_cast<double>(needed) / (documents_before_ / all_documents_));
  edges->reserve(std::max(
      needed, std::min(std::max(expected, 2 * needed), kMostGrowth * needed)));
  // Saves a page fault per 4 KiB of some tens of megabytes.
  AdviseHugePages(edges->data(), edges->capacity() * sizeof(WeightedEdge));
}

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

absl::Status StoredEdges::AppendPieces(const StoredDocumentPieces& pieces,
                                       absl::Span<const double> factors,
                                       const CountedWork& work, int num_threads,
                                       CosineProbe* probe, EdgeRoom* room,
                                       PccChange* change) const {
  const bool in_order = ResolveThreads(num_threads) == 1;
  const int64_t n = pieces.size();
  std::vector<std::vector<int32_t>> vertices(n);
  // Several threads finish pieces in any order.
  std::vector<PccChange> changes(in_order ? 0 : n);
  const auto read = [&](int64_t piece, DocumentMatrix* documents) {
    return pieces.Decode(piece, &vertices[piece], documents);
  };
  const auto take = [&](int64_t piece, absl::Span<const ProbeEdge> edges) {
    if (work.stopped()) return ComparisonStopped();
    work.Add(static_cast<int64_t>(vertices[piece].size()));
    if (in_order) {
      room->Make(edges.size(), vertices[piece].size(), &change->added_edges);
      Append(vertices[piece], edges, change);
    } else {
      changes[piece].added_edges.reserve(edges.size());
      Append(vertices[piece], edges, &changes[piece]);
    }
    return absl::OkStatus();
  };
  absl::Status status =
      probe->JoinPieces({n, pieces.num_terms(), read, take}, factors);
  if (!status.ok() || in_order) return status;
  size_t num_found = 0, num_documents = 0;
  for (int64_t p = 0; p < n; ++p) {
    num_found += changes[p].added_edges.size();
    num_documents += vertices[p].size();
  }
  room->Make(num_found, num_documents, &change->added_edges);
  for (const PccChange& of_piece : changes) AppendEdges(of_piece, change);
  return absl::OkStatus();
}

}  // namespace warpclust
