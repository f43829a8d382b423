// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Reduce: a smaller signed graph with the same least imbalance. Two rules,
// until neither applies:
//
// 1. Positive components. Some optimal clustering has no cluster that spans two
//    components of the graph of positive edges, since splitting one costs
//    nothing; so negative edges between such components are dropped.
// 2. Dominant edges. If the positive net weight of u and v is at least the sum
//    of the magnitudes of all other weights of u, some optimal clustering has u
//    and v together (move u to v in any other: no loss), so they are
//    contracted. Vertices of degree 1 and 2 in unweighted networks go so.
//    (Lange, Karrenbauer, Andres 2018, edge criterion with single vertices.)
//
// One edge is contracted at a time (dominant_edges.h), since after each the
// weights are others.
//
// Cost: O(edges) in practice. Thread-safety: pure functions. Determinism:
// integers only, edges in order of vertex id.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_REDUCTION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_REDUCTION_H_

#include "algorithms/correlation/partition/partition.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct ReducedGraph {
  // Edge counts and weights are those of its rows.
  SignedGraph graph;
  // For every vertex of the original its vertex in `graph`.
  Labels group;
};

ReducedGraph Reduce(const SignedGraph& graph);

// The components of the graph of positive net edges, canonical.
Labels PositiveComponents(const SignedGraph& graph);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_REDUCTION_H_
