// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Covering: stage 2 of OClustR (paper section 2.1), the initial centers. The
// paper walks the list L of vertices of relevance above 0 in RelevanceOrder and
// takes every vertex that is, or has a neighbor that is, not covered yet;
// isolated vertices are centers too.
//
// Here no list is walked, since the result has a closed form: the initial
// centers are the vertices that come first in L within the closed neighborhood
// {x} ∪ Adj(x) of some x. Proof: when the first one of x's neighborhood is
// visited, x is not covered, so it is taken; when a later one is visited, x is
// covered by the first. Every x with an edge has one: its neighbor of largest
// degree, or x itself, has a neighbor of no larger degree.
//
// Cost: a sort of the vertices and one pass over the edges, all cores.
// Determinism: any number of threads and any device give the same centers.
// Thread-safety: functions are pure.

#ifndef WARPCLUST_GRAPH_STARS_COVERING_H_
#define WARPCLUST_GRAPH_STARS_COVERING_H_

#include <cstdint>
#include <vector>

#include "graph/csr_graph.h"
#include "graph/stars/relevance_table.h"

namespace warpclust {

// The candidate list L: vertices of relevance above 0 in RelevanceOrder.
std::vector<int32_t> CandidateList(const RelevanceTable& table);

// The place of each vertex in `candidates`; INT32_MAX for those not in it.
std::vector<int32_t> CandidateRanks(int32_t num_vertices,
                                    const std::vector<int32_t>& candidates);

// The initial centers, ascending. `table` must be of `graph`. `num_threads` 0
// means all.
std::vector<int32_t> InitialCenters(const CsrGraph& graph,
                                    const RelevanceTable& table,
                                    int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_COVERING_H_
