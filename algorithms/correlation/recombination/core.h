// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MakeCore: a graph of the vertices that a search still has to decide about. In
// social networks most vertices are in one large cluster in all good
// partitions. With these contracted, chains that start from single vertices
// take a tenth of the time, and end with better partitions.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CORE_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CORE_H_

#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// `agreed` is canonical: vertices have one label if all partitions at hand put
// them together. Labels of more than a sixteenth of all vertices are large. A
// vertex stays in its large group if its weights to the group sum to more than
// its positive weights to all other vertices, by more than four mean
// magnitudes. All other vertices are free. The result is reduced
// (reduction.h); without vertices if stopped. O(edges log degree + n).
ReducedGraph MakeCore(const SignedGraph& graph, const Labels& agreed,
                      double mean_weight,
                      const StepOptions& step = StepOptions());

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_RECOMBINATION_CORE_H_
