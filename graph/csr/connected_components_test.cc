// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/csr/connected_components.h"

#include <cstdint>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "graph/csr/csr_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Marks what can be reached from each vertex without a number, in order.
std::vector<int32_t> NaiveComponents(const CsrGraph& graph) {
  std::vector<int32_t> component_of(graph.num_vertices(), -1);
  int32_t next = 0;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    if (component_of[v] >= 0) continue;
    std::vector<int32_t> left = {v};
    component_of[v] = next;
    while (!left.empty()) {
      const int32_t u = left.back();
      left.pop_back();
      for (const int32_t w : graph.NeighborsOf(u)) {
        if (component_of[w] >= 0) continue;
        component_of[w] = next;
        left.push_back(w);
      }
    }
    ++next;
  }
  return component_of;
}

TEST(ConnectedComponentsTest, SmallGraphs) {
  EXPECT_EQ(ConnectedComponents(CsrGraph()).num_components, 0);
  const auto graph = BuildCsrGraph(6, {{5, 1}, {4, 0}, {2, 5}});
  ASSERT_TRUE(graph.ok());
  const GraphComponents components = ConnectedComponents(*graph);
  EXPECT_EQ(components.num_components, 3);
  EXPECT_EQ(components.component_of, std::vector<int32_t>({0, 1, 1, 2, 0, 1}));
}

TEST(ConnectedComponentsTest, EqualsSearchesOnRandomGraphs) {
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    std::mt19937 random(seed);
    const int32_t n = 1 + static_cast<int32_t>(random() % 300);
    std::vector<WeightedEdge> edges;
    for (int i = static_cast<int>(random() % (2 * n)); i > 0; --i) {
      const int32_t u = static_cast<int32_t>(random() % n);
      const int32_t v = static_cast<int32_t>(random() % n);
      if (u != v) edges.push_back({u, v});
    }
    const auto graph = BuildCsrGraph(n, edges);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(ConnectedComponents(*graph).component_of,
              NaiveComponents(*graph));
  }
}

}  // namespace
}  // namespace warpclust
