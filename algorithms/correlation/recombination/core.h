// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MakeCore: the graph of the vertices that are still undecided. In social
// networks, most vertices are in one large cluster in all good partitions.
// With these contracted, chains from single vertices are much faster and end
// with better partitions.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CORE_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CORE_H_

#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// Whether MakeCore can contract anything. O(n).
bool HasLargeGroup(const Labels& agreed);

// `agreed` is canonical and groups the vertices that all partitions found so
// far put together. A group is large if it has more than a sixteenth of all
// vertices. A vertex stays in its large group if its weights to the group
// exceed its positive weights to all other vertices by more than four times
// `mean_weight`, the mean magnitude of a weight. All other vertices are free.
// The result is reduced (reduction.h). If stopped, it has no vertices.
// O(edges log degree + n).
ReducedGraph MakeCore(const SignedGraph& graph, const Labels& agreed,
                      double mean_weight,
                      const StepOptions& step = StepOptions());

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CORE_H_
