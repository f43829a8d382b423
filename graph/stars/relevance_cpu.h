// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances on the CPU, on all cores. See relevance_table.h.
//
// Complexity: two passes over the edges.

#ifndef WARPCLUST_GRAPH_STARS_RELEVANCE_CPU_H_
#define WARPCLUST_GRAPH_STARS_RELEVANCE_CPU_H_

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/relevance_table.h"

namespace warpclust {

// The table of `graph`, which must be valid. `num_threads` 0 means all.
// InvalidArgument if a weight is negative or not finite, or the arrays of the
// graph do not fit each other; nothing else of its validity is checked.
absl::StatusOr<RelevanceTable> RelevancesCpu(const CsrGraph& graph,
                                             int num_threads = 0);

namespace internal {

// The two passes, for graphs of which some rows are elsewhere.

// Sets degrees, and sums of weights in the fixed point of table->scale. Returns
// the largest weight. The errors of RelevancesCpu.
absl::StatusOr<float> SumWeights(const CsrGraph& graph, int num_threads,
                                 RelevanceTable* table);

// Sets the counts, by the degrees and sums of all vertices.
void CountRelevances(const CsrGraph& graph, int num_threads,
                     RelevanceTable* table);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_RELEVANCE_CPU_H_
