// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CsrGraph: an immutable undirected weighted graph in compressed sparse rows.
// Every edge stands in the rows of both its ends with the same weight; rows
// are ascending by neighbor; there are no loops and no parallel edges.
//
// Thread-safety: a plain value; concurrent reads are safe.

#ifndef WARPCLUST_GRAPH_CSR_CSR_GRAPH_H_
#define WARPCLUST_GRAPH_CSR_CSR_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/numbers/num_rows.h"

namespace warpclust {

struct CsrGraph {
  // num_vertices() + 1 entries; row v is [offsets[v], offsets[v + 1]).
  std::vector<int64_t> offsets = {0};
  // Strictly ascending inside a row.
  std::vector<int32_t> neighbors;
  // Parallel to `neighbors`.
  std::vector<float> weights;

  int32_t num_vertices() const { return NumRows(offsets.size()); }
  // Number of undirected edges: half of the entries.
  int64_t num_edges() const {
    return static_cast<int64_t>(neighbors.size()) / 2;
  }
  int64_t Degree(int32_t vertex) const {
    return offsets[vertex + 1] - offsets[vertex];
  }
  absl::Span<const int32_t> NeighborsOf(int32_t vertex) const {
    return absl::MakeConstSpan(neighbors).subspan(offsets[vertex],
                                                  Degree(vertex));
  }
  absl::Span<const float> WeightsOf(int32_t vertex) const {
    return absl::MakeConstSpan(weights).subspan(offsets[vertex],
                                                Degree(vertex));
  }
};

// One undirected edge between two different vertices.
struct WeightedEdge {
  int32_t u = 0;
  int32_t v = 0;
  float weight = 1.0f;
};

// The graph on vertices [0, num_vertices) with the given edges, in any order
// and either direction. InvalidArgument if an end is out of range, an edge is
// a loop, a weight is NaN or infinite, or a pair occurs twice with different
// weights (the same edge given twice, or once in each direction with the same
// weight, counts once).
// O(vertices + edges log max degree), 32 bytes an edge while it works.
absl::StatusOr<CsrGraph> BuildCsrGraph(int32_t num_vertices,
                                       absl::Span<const WeightedEdge> edges);

// OK if `graph` meets every condition of the banner, else InvalidArgument.
absl::Status ValidateGraph(const CsrGraph& graph);

namespace internal {

// The part of ValidateGraph that takes O(1), for functions that want a valid
// graph and walk it: what was moved from, and arrays that do not fit each
// other, as of a graph made by hand without weights.
absl::Status CheckGraphArrays(const CsrGraph& graph);

// Two vertices given with different weights; -1 if there are none.
struct ConflictingPair {
  int32_t u = -1;
  int32_t v = -1;
};

// As BuildCsrGraph; says which edge was in conflict, so that a reader of a file
// can look up its lines.
absl::StatusOr<CsrGraph> BuildCsrGraph(int32_t num_vertices,
                                       absl::Span<const WeightedEdge> edges,
                                       ConflictingPair* conflict);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_CSR_GRAPH_H_
