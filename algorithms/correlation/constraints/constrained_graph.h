// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Constrain: a graph without constraints in place of one with them. Any search
// and any lower bound of it serve the constrained problem, on every device.
//
//   ASSIGN_OR_RETURN(const ConstrainedGraph constrained,
//                    Constrain(graph, initial, constraints));
//   Labels labels = Expand(constrained.group, Cluster(constrained.graph));
//
// Vertices that must share a cluster become one vertex, a group. Two groups
// that may not share one get a negative edge that is heavier than all positive
// edges of the lighter one of them. So in a partition that puts them together,
// that group gains by leaving: no optimum does so, and no local optimum of
// moves of single groups (one_opt.h).
//
// I(P) of the result is I(P) of `graph` for each partition that meets the
// constraints, and at least that for others. So its lower bounds are lower
// bounds over the partitions that meet the constraints.
//
// Complexity: O(edges + pairs) time; 64 bytes per edge and per pair of groups
// kept apart. F clusters with fixed vertices are F (F - 1) / 2 such pairs.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_CONSTRAINTS_CONSTRAINED_GRAPH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_CONSTRAINTS_CONSTRAINED_GRAPH_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

struct ConstrainedGraph {
  // Its vertices are groups. Its edge counts and weights are those of its own
  // pairs.
  SignedGraph graph;
  // The group of each original vertex.
  Labels group;
  // Groups that may not share a cluster: a < b, ascending, each pair once.
  std::vector<std::pair<int32_t, int32_t>> apart;
};

// `initial` has one label per vertex in [0, n), or none if no vertex is fixed.
// InvalidArgument if the constraints are not about the vertices of `graph`,
// contradict each other (CheckConstraints), would keep more than 2^24 pairs of
// clusters apart, or make the weights exceed kMaxSignedWeight.
absl::StatusOr<ConstrainedGraph> Constrain(
    const SignedGraph& graph, absl::Span<const int32_t> initial,
    const CorrelationConstraints& constraints);

// InvalidArgument if no partition of `num_vertices` vertices meets the
// constraints, naming two vertices that must be apart and a path of vertices,
// each of which must share the cluster of the next, that connects them.
// `name` is what the message calls a vertex.
absl::Status CheckConstraints(int32_t num_vertices,
                              absl::Span<const int32_t> initial,
                              const CorrelationConstraints& constraints,
                              absl::FunctionRef<std::string(int32_t)> name);

// The labels of the groups, from labels of the vertices in [0, n): that of the
// first vertex of each group, canonical.
Labels LabelsOfGroups(const ConstrainedGraph& constrained,
                      absl::Span<const int32_t> labels);

// Whether labels of the groups keep apart what may not share a cluster.
bool KeepsApart(const ConstrainedGraph& constrained,
                absl::Span<const int32_t> group_labels);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_CONSTRAINTS_CONSTRAINED_GRAPH_H_
