// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/imbalance.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace warpclust {

absl::StatusOr<SignedBalance> ComputeSignedBalance(
    absl::Span<const SignedEdge> edges, absl::Span<const int32_t> labels) {
  SignedBalance result;
  for (const SignedEdge& edge : edges) {
    if (edge.u < 0 || edge.v < 0 ||
        static_cast<size_t>(edge.u) >= labels.size() ||
        static_cast<size_t>(edge.v) >= labels.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("edge (", edge.u, ", ", edge.v, "): expected vertices ",
                       "among the ", labels.size(), " that have labels"));
    }
    // Both sums together are at most the limit, so nothing overflows.
    const int64_t room = kMaxSignedWeight - result.imbalance - result.balance;
    if (edge.weight > room || edge.weight < -room) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected weights that sum to at most ",
                       kMaxSignedWeight, " units in magnitude, found more"));
    }
    const bool together = labels[edge.u] == labels[edge.v];
    if (edge.weight > 0) {
      (together ? result.balance : result.imbalance) += edge.weight;
    } else {
      (together ? result.imbalance : result.balance) -= edge.weight;
    }
  }
  return result;
}

absl::StatusOr<SignedBalance> ComputeSignedBalance(
    const SignedGraph& graph, absl::Span<const int32_t> labels) {
  if (labels.size() != static_cast<size_t>(graph.num_vertices())) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected a label for each of the ", graph.num_vertices(),
                     " vertices, found ", labels.size()));
  }
  // The lighter edge of a pair always costs; only the net weight depends on the
  // partition.
  SignedBalance result;
  result.imbalance = graph.constant_cost;
  result.balance = graph.constant_cost;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      if (u < v) continue;  // Each pair once.
      const int64_t weight = graph.weights[i];
      const bool contradicts = (weight > 0) != (labels[u] == labels[v]);
      (contradicts ? result.imbalance : result.balance) +=
          weight > 0 ? weight : -weight;
    }
  }
  return result;
}

std::vector<ClusterImbalance> ClusterImbalances(
    const SignedGraph& graph, absl::Span<const int32_t> labels,
    int32_t num_clusters) {
  std::vector<ClusterImbalance> costs(num_clusters);
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    ClusterImbalance& cost = costs[labels[v]];
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      const int64_t weight = graph.weights[i];
      const bool together = labels[u] == labels[v];
      // An edge inside is in two rows of one cluster.
      if (together && weight < 0 && u < v) cost.negative_inside -= weight;
      if (!together && weight > 0) cost.positive_outside += weight;
    }
  }
  return costs;
}

}  // namespace warpclust
