// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Contraction: the graph whose vertices are groups of vertices. A clustering of
// it stands for the clustering of the original that keeps every group together,
// and has the same I(P): the net weights between two groups are added up, and
// the cost inside the groups goes to constant_cost. Use it for recombination,
// reductions and multilevel search.
//
//   const SignedGraph small = Contract(graph, group, num_groups);
//   Labels labels = Expand(group, Cluster(small));

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CONTRACTION_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CONTRACTION_H_

#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// `group` maps every vertex to [0, num_groups); every group is used. The edge
// counts and weights of the result are those of its own pairs, not of the
// original edges. Imbalance(Contract(graph, group), labels) equals
// Imbalance(graph, Expand(group, labels)). A graph without vertices if stopped.
// O(edges log degree + n); 16 bytes per group and thread, of which there are at
// most as many as makes that 8 bytes per entry of the graph.
SignedGraph Contract(const SignedGraph& graph, absl::Span<const int32_t> group,
                     int32_t num_groups,
                     const StepOptions& step = StepOptions());

// The labels of the vertices, from the labels of their groups.
Labels Expand(absl::Span<const int32_t> group,
              absl::Span<const int32_t> group_labels);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONTRACTION_CONTRACTION_H_
