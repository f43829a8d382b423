// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Candidate rules: stage 1 of DClustR (González-Soler, Pérez-Suárez, Chang,
// Informatica 41, section 2.2), which mends the centers of connected components
// after a change instead of choosing them anew. The paper marks centers that
// could be replaced as "weak" and vertices whose centers could be as "active",
// collects a candidate list L by five conditions, and walks it.
//
// Here nothing is marked and no list is walked, since the result has a closed
// form. Let C' be the old centers, N(x) = {x} ∪ Adj(x), first(x) the vertex
// that comes first in RelevanceOrder within N(x), and call x *well covered* if
// a center of C' in N(x) has the relevance of first(x). A vertex with neighbors
// is a center afterwards just if
//   1. it is in C', no neighbor has greater relevance, and all its neighbors
//      are well covered (the centers that stay), or
//   2. it is, for some x that no staying center covers, the first one of L
//      within N(x). For an x not well covered this is first(x). For any other x
//      it is the first among the vertices of the same relevance as first(x)
//      that are in L, so first(x) too if that is in C'.
// Isolated vertices are centers.
// Proof. 1: A center v is "weak" just if a neighbor has greater relevance. Let
// u be a neighbor of v. If u is "active", some vertex of Adj(u) has a greater
// relevance than all centers covering u: u is not well covered. If u is not
// well covered, first(u) has a greater relevance than all those centers, so it
// is none of them; if it is not u it makes u active, if it is u then v is weak.
// 2: The first one of L in N(x) finds x uncovered and is taken; later ones find
// x covered (as in graph/stars/covering.h). Let x be not well covered, f =
// first(x): f is not in C', and its relevance is not 0. If f is not x, it is in
// L by condition (c) for u = x. If it is x, it is in L by condition (a), or
// because a center with less relevance is its neighbor. If x is well covered, a
// center of the relevance of f covers it and has left C' for L.
// So without equal relevances all centers are OClustR's initial ones, and what
// is missing of those are the ones needed only by what staying centers cover.
//
// Cost: O(edges + vertices · log vertices); the form that is given the first
// ones, O(vertices + edges of old centers) but for ties. Determinism: the same
// for any number of threads. Thread-safety: functions are pure.

#ifndef WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CANDIDATE_RULES_H_
#define WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CANDIDATE_RULES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/star_rows.h"

namespace warpclust {

// The centers that stage 1 leaves, ascending, in a graph (the affected
// components) all of whose vertices `table` holds. `old_centers`, ascending, is
// C', any set of vertices. Pass the result to SelectUsefulClusters.
std::vector<int32_t> UpdatedCenters(const RelevanceTable& table,
                                    absl::Span<const int32_t> old_centers,
                                    StarRows rows, int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DCLUSTR_COVER_CANDIDATE_RULES_H_
