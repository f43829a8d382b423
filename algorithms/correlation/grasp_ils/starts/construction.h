// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Construct: a greedy randomized partition, with which every start of GRASP and
// ILS begins (Levorato et al. 2015, section 4; Drummond et al. 2013).
//
// Vertices are clustered one after the other. The chosen vertex goes where I(P)
// is smallest: it joins the cluster with the largest sum of weights to it, if
// that is at least 0 (ties: smallest label), else it founds one, with the
// smallest unused label. So a vertex without edges to clustered ones joins
// cluster 0, as in the authors' program: on sparse graphs this makes few
// clusters, and much better partitions. The choice:
//
//   alpha = 1: any vertex, uniformly. array = 0 .. n - 1; k = Below(its size)
//     is drawn each time, the last time too; v = array[k]; the last element
//     takes its place.
//   alpha < 1: the candidates are all unclustered vertices, ascending by (the
//     increase of I(P), among clustered vertices only, when the vertex is put
//     at its best place; vertex). The one at Below(max(1, round(alpha * their
//     number))), half away from 0, is chosen.
//   alpha = 0: the first candidate; no draw.
//
// Cost: O(edges) for alpha = 1, else O(n^2 + sum of squared degrees), which
// suits networks of some ten thousand vertices at most.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_CONSTRUCTION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_CONSTRUCTION_H_

#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/numbers/random.h"

namespace warpclust {

// Replaces the partition of `search`; no vertex is marked. If `control` (may be
// null) ends the construction, the remaining vertices are put at their best
// places in order of id.
void Construct(double alpha, Random* random, const SearchControl* control,
               LocalSearch* search);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_STARTS_CONSTRUCTION_H_
