// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/partition/partition.h"

#include <cstddef>
#include <utility>

namespace warpclust {

int64_t Imbalance(const SignedGraph& graph, absl::Span<const int32_t> labels) {
  int64_t cost = 0;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t u = graph.neighbors[i];
      if (u >= v) break;  // Rows ascend; each pair counts in its later row.
      const int64_t weight = graph.weights[i];
      const bool together = labels[u] == labels[v];
      if (together != (weight > 0)) cost += weight > 0 ? weight : -weight;
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
  const size_t n = labels->size();
  // Vertices by their label in `labels`, ascending inside a cluster.
  std::vector<int32_t> begin(n + 1, 0);
  for (const int32_t label : *labels) ++begin[label + 1];
  for (size_t i = 0; i < n; ++i) begin[i + 1] += begin[i];
  std::vector<int32_t> members(n);
  {
    std::vector<int32_t> next(begin.begin(), begin.end() - 1);
    for (size_t v = 0; v < n; ++v) {
      members[next[(*labels)[v]]++] = static_cast<int32_t>(v);
    }
  }

  // Inside one cluster, the first vertex with each other label names its part.
  std::vector<int32_t> part(n);
  std::vector<int32_t> seen_in(n, -1);
  std::vector<int32_t> name(n);
  for (size_t cluster = 0; cluster < n; ++cluster) {
    for (int32_t i = begin[cluster]; i < begin[cluster + 1]; ++i) {
      const int32_t v = members[i];
      const int32_t label = other[v];
      if (seen_in[label] != static_cast<int32_t>(cluster)) {
        seen_in[label] = static_cast<int32_t>(cluster);
        name[label] = v;
      }
      part[v] = name[label];
    }
  }
  *labels = std::move(part);
  return MakeCanonical(labels);
}

}  // namespace warpclust
