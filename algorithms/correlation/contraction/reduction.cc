// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/reduction.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/correlation/contraction/contraction.h"

namespace warpclust {
namespace {

// Drops the negative edges between components; `graph` may be `result`. Edge
// counts and weights become those of the remaining edges.
void KeepInside(absl::Span<const int32_t> components, const SignedGraph& graph,
                SignedGraph* result) {
  const int32_t n = graph.num_vertices();
  result->units_per_one = graph.units_per_one;
  result->constant_cost = graph.constant_cost;
  result->offsets.resize(graph.offsets.size());
  result->neighbors.resize(graph.neighbors.size());
  result->weights.resize(graph.weights.size());
  int64_t kept = 0;
  int64_t num_positive = 0;
  int64_t positive = 0;
  int64_t magnitudes = 0;
  int64_t begin = 0;
  for (int32_t v = 0; v < n; ++v) {
    const int64_t end = graph.offsets[v + 1];
    const int32_t component = components[v];
    for (int64_t i = begin; i < end; ++i) {
      const int32_t u = graph.neighbors[i];
      const int64_t weight = graph.weights[i];
      // No positive edge is between components.
      if (components[u] != component) continue;
      result->neighbors[kept] = u;
      result->weights[kept] = weight;
      ++kept;
      num_positive += weight > 0;
      positive += weight > 0 ? weight : 0;
      magnitudes += std::abs(weight);
    }
    result->offsets[v + 1] = kept;
    begin = end;
  }
  result->neighbors.resize(kept);
  result->weights.resize(kept);
  // Each edge was met at both ends.
  result->num_positive_edges = num_positive / 2;
  result->num_negative_edges = (kept - num_positive) / 2;
  result->positive_weight = positive / 2;
  result->negative_weight = (magnitudes - positive) / 2;
}

int32_t Root(int32_t v, std::vector<int32_t>* parents) {
  int32_t* const parent = parents->data();
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

}  // namespace

Labels PositiveComponents(const SignedGraph& graph) {
  const int32_t n = graph.num_vertices();
  std::vector<int32_t> parents(n);
  for (int32_t v = 0; v < n; ++v) {
    parents[v] = v;
    int32_t root = v;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      if (graph.neighbors[i] > v) break;
      if (graph.weights[i] < 0) continue;
      const int32_t other = Root(graph.neighbors[i], &parents);
      if (other < root) {
        parents[root] = other;
        root = other;
      } else {
        parents[other] = root;
      }
    }
  }
  Labels labels(n);
  for (int32_t v = 0; v < n; ++v) labels[v] = Root(v, &parents);
  MakeCanonical(&labels);
  return labels;
}

ReducedGraph Reduce(const SignedGraph& graph) {
  ReducedGraph reduced;
  KeepInside(PositiveComponents(graph), graph, &reduced.graph);
  reduced.group.resize(graph.num_vertices());
  std::iota(reduced.group.begin(), reduced.group.end(), 0);
  reduced.representative = reduced.group;
  // A contraction may turn positive edges into negative ones and so split a
  // component, which starts a new round.
  while (true) {
    Labels group = ContractDominantEdges(reduced.graph);
    const Labels root = group;
    const int32_t num_groups = MakeCanonical(&group);
    if (num_groups == reduced.graph.num_vertices()) return reduced;
    // One vertex after another joined the cluster of the root.
    Labels representative(num_groups);
    for (size_t v = 0; v < group.size(); ++v) {
      representative[group[v]] = reduced.representative[root[v]];
    }
    reduced.representative = std::move(representative);
    reduced.graph = Contract(reduced.graph, group, num_groups);
    reduced.group = Expand(reduced.group, group);
    KeepInside(PositiveComponents(reduced.graph), reduced.graph,
               &reduced.graph);
  }
}

}  // namespace warpclust
