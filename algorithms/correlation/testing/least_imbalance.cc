// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/testing/least_imbalance.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "algorithms/correlation/partition/partition.h"

namespace warpclust {
namespace {

// All ways to put vertices v, v + 1, ... when the first v have labels.
int64_t LeastFrom(const SignedGraph& graph, int32_t v, int32_t num_clusters,
                  int64_t cost, Labels* labels) {
  if (v == graph.num_vertices()) return cost;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int32_t label = 0; label <= num_clusters; ++label) {
    int64_t more = 0;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      if (u > v) break;
      const bool together = (*labels)[u] == label;
      const int64_t weight = graph.weights[i];
      if (weight > 0 && !together) more += weight;
      if (weight < 0 && together) more -= weight;
    }
    (*labels)[v] = label;
    least = std::min(
        least, LeastFrom(graph, v + 1, num_clusters + (label == num_clusters),
                         cost + more, labels));
  }
  return least;
}

}  // namespace

int64_t LeastImbalance(const SignedGraph& graph) {
  Labels labels(graph.num_vertices());
  return LeastFrom(graph, 0, 0, graph.constant_cost, &labels);
}

}  // namespace warpclust
