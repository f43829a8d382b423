// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Dominant edges: positive net weights of a vertex that are at least the sum of
// the magnitudes of all its others. Its ends are together in some optimal
// clustering (rule 2 of reduction.h), so they may be contracted; and then there
// may be others.
//
// Thread-safety: pure function. Determinism: integers only, ties by ids.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_DOMINANT_EDGES_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_DOMINANT_EDGES_H_

#include "algorithms/correlation/partition/partition.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Contracts one dominant edge after another, each dominant in the graph that
// the ones before have left, until none remains. Returns, for every vertex, its
// group, canonical. O(edges) in practice: a vertex is looked at again only if
// it may have become the end of one.
Labels ContractDominantEdges(const SignedGraph& graph);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_DOMINANT_EDGES_H_
