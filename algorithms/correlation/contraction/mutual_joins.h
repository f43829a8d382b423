// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Mutual joins: a parallel stand-in for greedy joins (greedy_joins.h) while a
// graph is large. A round joins all pairs of vertices that are each other's
// best neighbor: the one with the largest positive weight (ties: the largest
// hash of the pair). The graph is contracted after each round.
//
// Greedy joins make such a join, too, unless an earlier one makes another
// neighbor better.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_MUTUAL_JOINS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_MUTUAL_JOINS_H_

#include <cstdint>

#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Makes rounds until the graph has at most `most_entries` entries, a round
// joins few vertices, or a stop. Sets *joined, which may be the graph itself,
// to the contracted graph, and returns the vertex of it that each vertex became
// a part of; after no round, leaves it and returns no labels. O(entries) per
// round, and O(log n) rounds: each leaves at most 31/32 of the vertices.
Labels JoinMutualPairs(const SignedGraph& graph, int64_t most_entries,
                       const StepOptions& step, SignedGraph* joined);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_MUTUAL_JOINS_H_
