// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CsrGraph: an immutable undirected weighted graph in compressed sparse rows.
//
//   std::vector<WeightedEdge> edges = {{0, 1, 0.5f}, {1, 2, 1.0f}};
//   absl::StatusOr<CsrGraph> graph = BuildCsrGraph(3, edges);
//   for (int32_t u : graph->NeighborsOf(1)) { ... }
//
// Each edge is in the rows of both its ends, with the same weight. Rows ascend
// by neighbor. There are no loops and no parallel edges.

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
// and either direction. An edge may be repeated, in either direction, with the
// same weight. InvalidArgument if an end is out of range, an edge is a loop, a
// weight is NaN or infinite, or a pair has two weights.
// O(vertices + edges log max degree) time; 32 bytes per edge meanwhile.
absl::StatusOr<CsrGraph> BuildCsrGraph(int32_t num_vertices,
                                       absl::Span<const WeightedEdge> edges);

// InvalidArgument unless `graph` meets the conditions above. O(edges).
absl::Status ValidateGraph(const CsrGraph& graph);

namespace internal {

// The O(1) part of ValidateGraph, for functions that require a valid graph.
// Finds moved-from graphs and arrays whose lengths do not fit.
absl::Status CheckGraphArrays(const CsrGraph& graph);

// Two vertices that were given two weights; -1 if there are none.
struct ConflictingPair {
  int32_t u = -1;
  int32_t v = -1;
};

// As BuildCsrGraph, for the edges of all parts, one after another. They have
// different ends in range and finite weights. Also tells which pair has two
// weights, so that a reader of a file can name its lines.
absl::StatusOr<CsrGraph> BuildCsrGraph(
    int32_t num_vertices,
    absl::Span<const absl::Span<const WeightedEdge>> parts, int num_threads,
    ConflictingPair* conflict);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_CSR_GRAPH_H_
