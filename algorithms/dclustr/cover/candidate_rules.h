// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Candidate rules: stage 1 of DClustR (González-Soler, Pérez-Suárez, Chang,
// Informatica 41, section 2.2), which repairs the centers of connected
// components after a change instead of choosing them again. The paper marks
// centers that could be replaced as "weak" and vertices whose centers could be
// replaced as "active", collects a candidate list L by five conditions, and
// walks it.
//
// Here nothing is marked and no list is walked, because the result has a closed
// form. Let C' be the old centers, N(x) = {x} ∪ Adj(x), first(x) the vertex
// that comes first in RelevanceOrder within N(x), and call x *well covered* if
// a center of C' in N(x) has the relevance of first(x). A vertex with neighbors
// is a center afterwards exactly if
//   1. it is in C', no neighbor has greater relevance, and all its neighbors
//      are well covered (the centers that stay), or
//   2. for some x that no staying center covers, it is the first of L within
//      N(x). If x is not well covered, this is first(x). Otherwise it is the
//      first among the vertices of the relevance of first(x) that are in L; so
//      it is first(x) if first(x) is in C'.
// Isolated vertices are centers.
//
// Proof of 1. A center v is "weak" exactly if a neighbor has greater relevance.
// Let u be a neighbor of v. If u is "active", some vertex of Adj(u) has a
// greater relevance than all centers that cover u, so u is not well covered. If
// u is not well covered, first(u) has a greater relevance than all those
// centers, so first(u) is not one of them. If first(u) differs from u, it makes
// u active; if it equals u, v is weak.
//
// Proof of 2. The first of L in N(x) finds x uncovered and is taken; later ones
// find x covered (as in graph/stars/covering.h). Let x be not well covered and
// f = first(x). Then f is not in C', and its relevance is not 0. If f is not x,
// it is in L by condition (c) for u = x. If f is x, it is in L by condition
// (a), or because a center of less relevance is its neighbor. If x is well
// covered, a center of the relevance of f covers it and has left C' for L.
//
// So without equal relevances all centers are initial centers of OClustR. Those
// missing are needed only for vertices that staying centers cover.
//
// Complexity: O(edges + vertices · log vertices).

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CANDIDATE_RULES_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CANDIDATE_RULES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/star_rows.h"

namespace warpclust {

// The centers after stage 1, ascending, in the graph of `table` (the affected
// components). `old_centers`, ascending, is C', any set of vertices. Pass the
// result to SelectUsefulClusters. `rows` is called from several threads (0: all
// cores).
std::vector<int32_t> UpdatedCenters(const RelevanceTable& table,
                                    absl::Span<const int32_t> old_centers,
                                    StarRows rows, int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CANDIDATE_RULES_H_
