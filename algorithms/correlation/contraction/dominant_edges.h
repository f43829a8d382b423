// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Dominant edges: an edge of positive net weight that is at least the sum of
// the magnitudes of all other weights of one of its ends. Its ends are together
// in some optimal clustering (rule 2 of reduction.h), so it may be contracted,
// which may make further edges dominant.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_DOMINANT_EDGES_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_DOMINANT_EDGES_H_

#include "algorithms/correlation/partition/partition.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Contracts one dominant edge after another, each dominant in the graph that
// the contractions before it have left, until none remains. Returns the group
// of every vertex, canonical. Ties: the smaller id. O(edges) in practice: a
// vertex is visited again only if it may have become the end of a dominant
// edge.
Labels ContractDominantEdges(const SignedGraph& graph);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_DOMINANT_EDGES_H_
