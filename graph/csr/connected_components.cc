// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/csr/connected_components.h"

#include <numeric>

namespace warpclust {

GraphComponents ConnectedComponents(const CsrGraph& graph) {
  const int32_t n = graph.num_vertices();
  // Trees whose roots are their smallest vertices: parent[v] <= v.
  std::vector<int32_t> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root_of = [&parent](int32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (int32_t v = 0; v < n; ++v) {
    int32_t root = root_of(v);
    for (const int32_t u : graph.NeighborsOf(v)) {
      if (u > v) break;  // Ascending; the edge stands in u's row too.
      const int32_t other = root_of(u);
      if (other < root) {
        parent[root] = other;
        root = other;
      } else {
        parent[other] = root;
      }
    }
  }
  GraphComponents components;
  components.component_of.resize(n);
  for (int32_t v = 0; v < n; ++v) {
    // Its parent is smaller, so it has its number; a root gets the next one.
    components.component_of[v] = parent[v] == v
                                     ? components.num_components++
                                     : components.component_of[parent[v]];
  }
  return components;
}

}  // namespace warpclust
