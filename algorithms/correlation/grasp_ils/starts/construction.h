// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Construct: a greedy randomized partition, the beginning of every start of
// GRASP and ILS (Levorato et al. 2015, section 4; Drummond et al. 2013).
//
// Vertices are clustered one after the other. One that is chosen joins the
// cluster with the largest positive sum of weights to it (ties: smallest
// label), else it founds one, with the smallest unused label. Which is chosen:
//
//   alpha = 1: any, uniformly. array = 0 .. n - 1; k = Below(its size) is drawn
//     each time, the last one too; v = array[k]; the last of the array takes
//     its place.
//   alpha < 1: candidates are all unclustered vertices, ascending by (what I(P)
//     grows by when the vertex is put at its best place, among clustered
//     vertices only; vertex). The one at Below(max(1, round(alpha * their
//     number))), half away from 0, is chosen.
//   alpha = 0: the first of them; no draw.
//
// Cost: O(edges) for alpha = 1; else O(n^2 + sum of squared degrees): for
// networks of some ten thousand vertices at most. Determinism: the seed.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_CONSTRUCTION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_CONSTRUCTION_H_

#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/numbers/random.h"

namespace warpclust {

// Fills `descent`, of which nothing is kept; no vertex is marked. When
// `control` (may be null) says stop, the remaining vertices are put at their
// best places in order of id.
void Construct(double alpha, Random* random, const SearchControl* control,
               Descent* descent);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_CONSTRUCTION_H_
