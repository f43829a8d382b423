// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Covering: stage 2 of OClustR (González-Soler et al. 2017, section 2.1): the
// initial centers. The paper walks the list L of the vertices of relevance
// above 0, in RelevanceOrder, and takes a vertex if it or one of its neighbors
// is not covered yet. Isolated vertices are centers too.
//
// Here no list is walked, because the result has a closed form: the initial
// centers are the vertices that come first in L within the closed neighborhood
// {x} ∪ Adj(x) of some x. Proof: when the first of x's neighborhood is visited,
// x is not covered, so it is taken; when a later one is visited, x is covered
// by the first. Every x with an edge has a first: its neighbor of largest
// degree, or x itself, has a neighbor of no larger degree, so its relevance is
// above 0.
//
// InitialCentersFromRows reads few rows: it walks the top of L as the paper
// does until the uncovered vertices are cheap, then asks each of them for its
// first. Prefer it if rows come from disk, and on dense graphs.
//
// Complexity: InitialCenters passes over the edges once, on all cores.
// InitialCentersFromRows takes O(vertices + entries read) and a logarithm per
// row read, on one core.

#ifndef WARPCLUST_GRAPH_STARS_COVERING_H_
#define WARPCLUST_GRAPH_STARS_COVERING_H_

#include <cstdint>
#include <vector>

#include "graph/csr/csr_graph.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/star_rows.h"

namespace warpclust {

// The candidate list L: vertices of relevance above 0 in RelevanceOrder.
std::vector<int32_t> CandidateList(const RelevanceTable& table);

// The place of each vertex in `candidates`; INT32_MAX if it has none.
std::vector<int32_t> CandidateRanks(int32_t num_vertices,
                                    const std::vector<int32_t>& candidates);

// For each vertex, the first of L within its closed neighborhood; the vertex
// itself if it is isolated. Reads each row once, on several threads (0: all
// cores).
std::vector<int32_t> FirstNeighbors(const RelevanceTable& table, StarRows rows,
                                    int num_threads = 0);

// The initial centers, ascending. `table` must be of `graph`.
std::vector<int32_t> InitialCenters(const CsrGraph& graph,
                                    const RelevanceTable& table,
                                    int num_threads = 0);

// The same from few rows. Calls `rows` on this thread, at most once per vertex,
// and uses a row only until the next call. Adds the entries read to
// `*entries_read`.
std::vector<int32_t> InitialCentersFromRows(const RelevanceTable& table,
                                            StarRows rows,
                                            int64_t* entries_read = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_COVERING_H_
