// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Covering: stage 2 of OClustR (González-Soler et al. 2017, section 2.1), the
// initial centers. The paper walks the list L of vertices of relevance above 0
// in RelevanceOrder and takes every vertex that is, or has a neighbor that is,
// not covered yet; isolated vertices are centers too.
//
// Here no list is walked, since the result has a closed form: the initial
// centers are the vertices that come first in L within the closed neighborhood
// {x} ∪ Adj(x) of some x. Proof: when the first one of x's neighborhood is
// visited, x is not covered, so it is taken; when a later one is visited, x is
// covered by the first. Every x with an edge has one: its neighbor of largest
// degree, or x itself, has a neighbor of no larger degree.
//
// InitialCentersFromRows reads few rows: it walks the top of L as the paper
// does, until what is not covered yet costs little, and then asks each
// uncovered vertex for its first. On Reuters-21578 it reads 4 % of the entries
// (TF, β = 0.25), on 20 Newsgroups 32 % (TF-IDF, β = 0.25). Prefer it on the
// CPU, all the more where rows come from disk.
//
// Cost: InitialCenters, a sort of the vertices and one pass over the edges, all
// cores; InitialCentersFromRows, O(vertices + entries read) and a logarithm for
// each row read, one core. Determinism: all of them, any number of threads and
// any device give the same centers. Thread-safety: functions are pure.

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

// The place of each vertex in `candidates`; INT32_MAX for those not in it.
std::vector<int32_t> CandidateRanks(int32_t num_vertices,
                                    const std::vector<int32_t>& candidates);

// By vertex, what comes first in L within its closed neighborhood; the vertex
// itself if it is isolated. Reads each row once, on several threads.
// `num_threads` 0 means all.
std::vector<int32_t> FirstNeighbors(const RelevanceTable& table, StarRows rows,
                                    int num_threads = 0);

// The initial centers, ascending. `table` must be of `graph`.
std::vector<int32_t> InitialCenters(const CsrGraph& graph,
                                    const RelevanceTable& table,
                                    int num_threads = 0);

// The same, from the rows of few vertices. `rows` is called on the calling
// thread, at most once a vertex, and a row is not used after the next is asked
// for. The number of entries read is added to `*entries_read`.
std::vector<int32_t> InitialCentersFromRows(const RelevanceTable& table,
                                            StarRows rows,
                                            int64_t* entries_read = nullptr);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_COVERING_H_
