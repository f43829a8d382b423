// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Partitions that need no search. Chains start from them, and they are results
// if a search is stopped early.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SIMPLE_PARTITIONS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SIMPLE_PARTITIONS_H_

#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/polish.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Every vertex alone.
Candidate SingleVertices(const SignedGraph& graph);

// One cluster without the vertices whose weights sum to less than 0. Cheap, and
// close to what a descent finds in networks with few negative edges.
Labels AlmostOneCluster(const SignedGraph& graph, int threads);

// The partition `initial` of the original graph in the reduced one, at no loss:
// clusters of the representatives, split by positive components. Empty if
// `initial` is.
Labels ReducedInitial(const ReducedGraph& reduced, const Labels& initial,
                      int threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_SIMPLE_PARTITIONS_H_
