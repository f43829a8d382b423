// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/partition/partition.h"

#include <cstddef>
#include <cstdlib>
#include <numeric>

#include "base/machine/threads.h"

namespace warpclust {

int64_t Imbalance(const SignedGraph& graph, absl::Span<const int32_t> labels,
                  int num_threads) {
  int64_t cost = 0;
#pragma omp parallel for num_threads(ResolveThreads(num_threads)) \
    schedule(dynamic, 4096) reduction(+ : cost)
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      if (u >= v) break;  // Rows ascend; each pair counts in its later row.
      const int64_t weight = graph.weights[i];
      const bool together = labels[u] == labels[v];
      if (together != (weight > 0)) cost += std::abs(weight);
    }
  }
  return graph.constant_cost + cost;
}

int32_t MakeCanonical(Labels* labels) {
  std::vector<int32_t> renamed(labels->size(), -1);
  int32_t num_clusters = 0;
  for (int32_t& label : *labels) {
    if (renamed[label] < 0) renamed[label] = num_clusters++;
    label = renamed[label];
  }
  return num_clusters;
}

int32_t Intersect(absl::Span<const int32_t> other, Labels* labels) {
  const int32_t n = static_cast<int32_t>(labels->size());
  const auto [offsets, members] = MembersOfClusters(*labels, n);
  // Inside one cluster, the first vertex with each other label names its part.
  std::vector<int32_t> seen_in(n, -1);
  std::vector<int32_t> name(n);
  for (int32_t cluster = 0; cluster < n; ++cluster) {
    for (int32_t i = offsets[cluster]; i < offsets[cluster + 1]; ++i) {
      const int32_t v = members[i];
      const int32_t label = other[v];
      if (seen_in[label] != cluster) {
        seen_in[label] = cluster;
        name[label] = v;
      }
      (*labels)[v] = name[label];
    }
  }
  return MakeCanonical(labels);
}

Members MembersOfClusters(absl::Span<const int32_t> labels,
                          int32_t num_clusters) {
  Members result;
  result.offsets.assign(static_cast<size_t>(num_clusters) + 1, 0);
  for (const int32_t label : labels) ++result.offsets[label + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(),
                   result.offsets.begin());
  std::vector<int32_t> next(result.offsets.begin(), result.offsets.end() - 1);
  result.members.resize(labels.size());
  for (size_t v = 0; v < labels.size(); ++v) {
    result.members[next[labels[v]]++] = static_cast<int32_t>(v);
  }
  return result;
}

}  // namespace warpclust
