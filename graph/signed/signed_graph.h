// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SignedGraph: an immutable undirected graph whose edges attract (positive
// weight) or repel (negative weight), for correlation clustering and structural
// balance (Levorato et al. 2015, section 2.1). A pair may have one edge of each
// sign; there are no loops.
//
//   std::vector<SignedEdge> edges = {{0, 1, 1}, {1, 2, -1}};
//   absl::StatusOr<SignedGraph> graph = BuildSignedGraph(3, edges);
//
// Weights are exact: integers in units of 1 / units_per_one, a power of ten.
// Decimal weights are summed without rounding, in any order.
//
// Only the net weight of a pair matters for a clustering. With a positive edge
// of weight p and a negative one of weight q, the pair costs p if it is apart
// and q if it is together: min(p, q) in either case, and |p - q| more if the
// sign of p - q is ignored. So the rows hold net weights w = p - q, ascending
// by neighbor, each pair in the rows of both its ends. Pairs of net weight 0
// have no entry. `constant_cost` is the sum of min(p, q).
//
//   I(P) = constant_cost + sum over pairs of max(w, 0) if apart, max(-w, 0) if
//   together.
//
// Memory: 12 bytes per entry, two entries per pair.

#ifndef WARPCLUST_GRAPH_SIGNED_SIGNED_GRAPH_H_
#define WARPCLUST_GRAPH_SIGNED_SIGNED_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/numbers/num_rows.h"

namespace warpclust {

// One undirected edge between two different vertices; the weight in units.
struct SignedEdge {
  int32_t u = 0;
  int32_t v = 0;
  int64_t weight = 1;

  friend bool operator==(const SignedEdge& a, const SignedEdge& b) {
    return a.u == b.u && a.v == b.v && a.weight == b.weight;
  }
};

struct SignedGraph {
  // num_vertices() + 1 entries; row v is [offsets[v], offsets[v + 1]).
  std::vector<int64_t> offsets = {0};
  // Strictly ascending inside a row.
  std::vector<int32_t> neighbors;
  // Net weights in units, parallel to `neighbors`; never 0.
  std::vector<int64_t> weights;

  int64_t units_per_one = 1;
  // What every clustering costs, in units. It exceeds the sum above if the
  // vertices are groups, which have a cost inside.
  int64_t constant_cost = 0;

  // Of the given edges; parallel edges count each.
  int64_t num_positive_edges = 0;
  int64_t num_negative_edges = 0;
  // Sums in units, both at least 0.
  int64_t positive_weight = 0;
  int64_t negative_weight = 0;

  int32_t num_vertices() const { return NumRows(offsets.size()); }
  int64_t num_edges() const { return num_positive_edges + num_negative_edges; }
  int64_t Degree(int32_t vertex) const {
    return offsets[vertex + 1] - offsets[vertex];
  }
  absl::Span<const int32_t> NeighborsOf(int32_t vertex) const {
    return absl::MakeConstSpan(neighbors).subspan(offsets[vertex],
                                                  Degree(vertex));
  }
  absl::Span<const int64_t> WeightsOf(int32_t vertex) const {
    return absl::MakeConstSpan(weights).subspan(offsets[vertex],
                                                Degree(vertex));
  }
};

// The limit of the sum of all weights' magnitudes, in units, so that no sum or
// difference of sums overflows.
inline constexpr int64_t kMaxSignedWeight = int64_t{1} << 60;

// The graph on vertices [0, num_vertices) with the given edges, in any order
// and either direction. Edges of weight 0 and repeated edges of the same weight
// are ignored. InvalidArgument if an end is out of range, an edge is a loop, a
// pair has two edges of one sign with different weights, the weights exceed
// kMaxSignedWeight together, or units_per_one is not a power of ten. O(vertices
// + edges log degree) time on num_threads threads (0: all cores); no memory per
// edge beside the graph.
absl::StatusOr<SignedGraph> BuildSignedGraph(int32_t num_vertices,
                                             absl::Span<const SignedEdge> edges,
                                             int64_t units_per_one = 1,
                                             int num_threads = 1);

// InvalidArgument unless `graph` meets the conditions above. O(edges), on
// num_threads threads (0: all cores).
absl::Status ValidateSignedGraph(const SignedGraph& graph, int num_threads = 1);

namespace internal {

// Two vertices that were given two weights of one sign; -1 if there are none.
struct ConflictingSignedPair {
  int32_t u = -1;
  int32_t v = -1;
};

// As BuildSignedGraph, for the edges of all parts, one after another. They have
// different ends in range, and weights of at most kMaxSignedWeight;
// units_per_one is legal. Also tells which pair has two weights, so that a
// reader of a file can name its lines.
absl::StatusOr<SignedGraph> BuildSignedGraph(
    int32_t num_vertices, absl::Span<const absl::Span<const SignedEdge>> parts,
    int64_t units_per_one, int num_threads, ConflictingSignedPair* conflict);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_SIGNED_SIGNED_GRAPH_H_
