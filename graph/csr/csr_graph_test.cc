// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/csr/csr_graph.h"

#include <limits>
#include <map>
#include <random>
#include <utility>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(BuildCsrGraphTest, SortsBothDirections) {
  const std::vector<WeightedEdge> edges = {{2, 0, 0.5f}, {1, 2, 0.25f}};
  const absl::StatusOr<CsrGraph> graph = BuildCsrGraph(4, edges);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->offsets, (std::vector<int64_t>{0, 1, 2, 4, 4}));
  EXPECT_EQ(graph->neighbors, (std::vector<int32_t>{2, 2, 0, 1}));
  EXPECT_EQ(graph->weights, (std::vector<float>{0.5f, 0.25f, 0.5f, 0.25f}));
  EXPECT_EQ(graph->num_vertices(), 4);
  EXPECT_EQ(graph->num_edges(), 2);
  EXPECT_EQ(graph->Degree(2), 2);
  EXPECT_EQ(graph->NeighborsOf(2).front(), 0);
  EXPECT_EQ(graph->WeightsOf(2).back(), 0.25f);
}

TEST(BuildCsrGraphTest, EmptyGraphs) {
  for (const int32_t n : {0, 1, 2}) {
    const absl::StatusOr<CsrGraph> graph = BuildCsrGraph(n, {});
    ASSERT_TRUE(graph.ok());
    EXPECT_EQ(graph->num_vertices(), n);
    EXPECT_EQ(graph->num_edges(), 0);
    EXPECT_TRUE(ValidateGraph(*graph).ok());
  }
  EXPECT_TRUE(ValidateGraph(CsrGraph()).ok());
}

TEST(BuildCsrGraphTest, EqualRepeatsCountOnce) {
  const std::vector<WeightedEdge> edges = {
      {0, 1, 0.5f}, {1, 0, 0.5f}, {0, 1, 0.5f}, {1, 2, 0.0f}, {2, 1, -0.0f}};
  const absl::StatusOr<CsrGraph> graph = BuildCsrGraph(3, edges);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->num_edges(), 2);
}

TEST(BuildCsrGraphTest, NamesTheOffendingEdge) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto message = [](std::vector<WeightedEdge> edges) {
    edges.insert(edges.begin(), {0, 1, 1.0f});
    const absl::StatusOr<CsrGraph> graph = BuildCsrGraph(3, edges);
    EXPECT_EQ(graph.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(graph.status().message());
  };
  EXPECT_TRUE(absl::StrContains(message({{0, 3}}), "edge 1 (0, 3): expected"));
  EXPECT_TRUE(absl::StrContains(message({{-1, 2}}), "[0, 3)"));
  EXPECT_TRUE(absl::StrContains(message({{2, 2}}), "loop"));
  EXPECT_TRUE(absl::StrContains(message({{0, 2, nan}}), "finite"));
  EXPECT_TRUE(absl::StrContains(message({{0, 2, infinity}}), "finite"));
  EXPECT_TRUE(absl::StrContains(message({{1, 0, 0.5f}}), "found 0.5 and 1"));
  EXPECT_FALSE(BuildCsrGraph(-1, {}).ok());
}

TEST(BuildCsrGraphTest, MatchesAMap) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    // The last ones are large enough for the parallel path.
    const int32_t n = seed < 195 ? 2 + random() % 30 : 3000;
    const int32_t hubs = seed < 198 ? n : 5;  // With long rows.
    const int num_edges = seed < 195 ? random() % 200 : 60000;
    std::map<std::pair<int32_t, int32_t>, float> expected;
    std::vector<WeightedEdge> edges;
    for (int i = 0; i < num_edges; ++i) {
      const int32_t u = random() % n, v = random() % hubs;
      if (u == v) continue;
      const auto it = expected.find({u, v});
      const float weight =
          it != expected.end() ? it->second : 1.0f / (1 + random() % 7);
      expected[{u, v}] = expected[{v, u}] = weight;
      edges.push_back({u, v, weight});
    }
    const absl::StatusOr<CsrGraph> graph = BuildCsrGraph(n, edges);
    ASSERT_TRUE(graph.ok()) << graph.status();
    ASSERT_TRUE(ValidateGraph(*graph).ok()) << ValidateGraph(*graph);
    ASSERT_EQ(graph->neighbors.size(), expected.size());
    int64_t i = 0;
    for (const auto& [pair, weight] : expected) {
      ASSERT_GE(i, graph->offsets[pair.first]);
      ASSERT_LT(i, graph->offsets[pair.first + 1]);
      ASSERT_EQ(graph->neighbors[i], pair.second);
      ASSERT_EQ(graph->weights[i], weight);
      ++i;
    }
  }
}

TEST(ValidateGraphTest, FindsEveryBreach) {
  const absl::StatusOr<CsrGraph> good = BuildCsrGraph(
      4, std::vector<WeightedEdge>{{0, 1, 0.5f}, {0, 2, 0.5f}, {1, 2, 0.25f}});
  ASSERT_TRUE(good.ok());
  ASSERT_TRUE(ValidateGraph(*good).ok());
  const auto broken = [&](auto change) {
    CsrGraph graph = *good;
    change(graph);
    return !ValidateGraph(graph).ok();
  };
  EXPECT_TRUE(broken([](CsrGraph& g) { g.offsets.clear(); }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.offsets[0] = 1; }));
  EXPECT_TRUE(
      broken([](CsrGraph& g) { std::swap(g.offsets[1], g.offsets[2]); }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.offsets.back() = 7; }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.weights.pop_back(); }));
  EXPECT_TRUE(
      broken([](CsrGraph& g) { std::swap(g.neighbors[0], g.neighbors[1]); }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.neighbors[1] = 4; }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.neighbors[0] = -1; }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.neighbors[0] = 0; }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.neighbors[1] = 3; }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.weights[0] = 0.75f; }));
  EXPECT_TRUE(broken([](CsrGraph& g) { g.weights[0] = std::nanf(""); }));
  // Vertex 3 names 0, which does not name 3.
  EXPECT_TRUE(broken([](CsrGraph& g) {
    g.neighbors.push_back(0);
    g.weights.push_back(1.0f);
    g.offsets.back() = 7;
  }));
  // Vertex 0 names 3, which does not name 0.
  EXPECT_TRUE(broken([](CsrGraph& g) {
    g.neighbors.insert(g.neighbors.begin() + 2, 3);
    g.weights.insert(g.weights.begin() + 2, 1.0f);
    for (size_t v = 1; v < g.offsets.size(); ++v) ++g.offsets[v];
  }));
}

}  // namespace
}  // namespace warpclust
