// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Imbalance and balance of a partition of a signed graph (Levorato et al. 2015,
// section 2.1). The imbalance is the weight of the edges that contradict the
// partition: negative edges inside clusters and positive edges between them.
// The balance is the weight of all others.
//
// They are computed from formula (1), one edge after the other. Algorithms that
// update the imbalance are checked against this.

#ifndef WARPCLUST_EVAL_IMBALANCE_H_
#define WARPCLUST_EVAL_IMBALANCE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/signed/signed_graph.h"

namespace warpclust {

// In units of weight, both at least 0. Their sum is the weight of all edges.
struct SignedBalance {
  int64_t imbalance = 0;  // I(P); less is better.
  int64_t balance = 0;    // B(P).
};

// labels[v] is the cluster of vertex v, any number. Every edge counts; repeated
// edges count repeatedly. InvalidArgument if an end of an edge is not an index
// of `labels`, or the weights exceed kMaxSignedWeight together.
absl::StatusOr<SignedBalance> ComputeSignedBalance(
    absl::Span<const SignedEdge> edges, absl::Span<const int32_t> labels);

// The same from the net weights of a graph, which must be valid. If its
// vertices are groups, their cost inside is part of the imbalance, and
// `balance` is meaningless. InvalidArgument unless there is one label per
// vertex.
absl::StatusOr<SignedBalance> ComputeSignedBalance(
    const SignedGraph& graph, absl::Span<const int32_t> labels);

// The cost of one cluster of a partition, in units of weight. A positive edge
// between two clusters counts for both.
struct ClusterImbalance {
  int64_t negative_inside = 0;
  int64_t positive_outside = 0;
};

// One entry per cluster, from the net weights of a graph. labels[v], in
// [0, num_clusters), is the cluster of vertex v.
std::vector<ClusterImbalance> ClusterImbalances(
    const SignedGraph& graph, absl::Span<const int32_t> labels,
    int32_t num_clusters);

}  // namespace warpclust

#endif  // WARPCLUST_EVAL_IMBALANCE_H_
