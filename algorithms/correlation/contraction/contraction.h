// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Contraction: the graph whose vertices are groups of vertices. A clustering of
// it is a clustering of the original that keeps every group together, and has
// the same I(P): the net weights between two groups are added up, and what the
// groups cost inside goes to constant_cost. Recombination of partitions,
// reductions and multilevel search are made of it.
//
// Thread-safety: pure functions. Determinism: integers only.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CONTRACTION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CONTRACTION_H_

#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/correlation/partition/partition.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// `group` maps every vertex to [0, num_groups), each group used. The edge
// counts and weights of the result are those of its rows (its pairs), not of
// the original. Imbalance(Contract(g), labels) equals Imbalance(g, Expand).
// O(edges + n) time, one thread.
SignedGraph Contract(const SignedGraph& graph, absl::Span<const int32_t> group,
                     int32_t num_groups);

// Labels of the vertices from labels of their groups.
Labels Expand(absl::Span<const int32_t> group,
              absl::Span<const int32_t> group_labels);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CONTRACTION_H_
