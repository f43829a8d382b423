// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/simple_partitions.h"

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace warpclust {

Candidate SingleVertices(const SignedGraph& graph) {
  Candidate single;
  single.labels.resize(graph.num_vertices());
  std::iota(single.labels.begin(), single.labels.end(), 0);
  single.imbalance = graph.constant_cost + graph.positive_weight;
  return single;
}

Labels AlmostOneCluster(const SignedGraph& graph, int threads) {
  const int32_t n = graph.num_vertices();
  Labels labels(n);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
  for (int32_t v = 0; v < n; ++v) {
    int64_t sum = 0;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      sum += graph.weights[i];
    }
    labels[v] = v > 0 && sum < 0 ? v : 0;
  }
  return labels;
}

Labels ReducedInitial(const ReducedGraph& reduced, const Labels& initial,
                      int threads) {
  Labels labels;
  if (initial.empty()) return labels;
  const Labels components =
      PositiveComponents(reduced.graph, {/*control=*/nullptr, threads});
  Labels name(initial.size(), -1);
  for (size_t g = 0; g < components.size(); ++g) {
    int32_t& first = name[initial[reduced.representative[g]]];
    if (first < 0) first = static_cast<int32_t>(g);
    labels.push_back(first);
  }
  Intersect(components, &labels);
  return labels;
}

}  // namespace warpclust
