// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/reduction.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

Labels NaivePositiveComponents(const SignedGraph& graph) {
  Labels labels(graph.num_vertices());
  std::iota(labels.begin(), labels.end(), 0);
  for (int32_t round = 0; round < graph.num_vertices(); ++round) {
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        if (graph.weights[i] < 0) continue;
        labels[v] = std::min(labels[v], labels[graph.neighbors[i]]);
      }
    }
  }
  MakeCanonical(&labels);
  return labels;
}

// No rule applies to the result.
void ExpectIrreducible(const SignedGraph& graph) {
  const Labels components = NaivePositiveComponents(graph);
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    int64_t total = 0;
    int64_t most = 0;
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      EXPECT_EQ(components[v], components[graph.neighbors[i]]);
      total += std::abs(graph.weights[i]);
      most = std::max(most, graph.weights[i]);
    }
    EXPECT_TRUE(most == 0 || 2 * most < total) << "vertex " << v;
  }
}

void ExpectSameProblem(const SignedGraph& graph, Random* random) {
  const ReducedGraph reduced = Reduce(graph);
  const int32_t k = reduced.graph.num_vertices();
  SignedGraph rows = reduced.graph;
  rows.constant_cost = 0;
  EXPECT_TRUE(ValidateSignedGraph(rows).ok()) << ValidateSignedGraph(rows);
  EXPECT_EQ(reduced.graph.units_per_one, graph.units_per_one);
  ASSERT_EQ(reduced.group.size(), graph.num_vertices());
  Labels canonical = reduced.group;
  EXPECT_EQ(MakeCanonical(&canonical), k);
  EXPECT_EQ(canonical, reduced.group);
  ExpectIrreducible(reduced.graph);
  EXPECT_EQ(PositiveComponents(graph), NaivePositiveComponents(graph));

  // Dropped edges lie between positive components, so a clustering that joins
  // no components costs the same.
  const Labels components = PositiveComponents(reduced.graph);
  for (int trial = 0; trial < 3; ++trial) {
    Labels labels(k);
    for (int32_t v = 0; v < k; ++v) {
      labels[v] = 3 * components[v] + static_cast<int32_t>(random->Below(3));
    }
    EXPECT_EQ(Imbalance(reduced.graph, labels),
              Imbalance(graph, Expand(reduced.group, labels)));
  }
}

void ExpectSameOptimum(const SignedGraph& graph) {
  EXPECT_EQ(LeastImbalance(Reduce(graph).graph), LeastImbalance(graph));
}

TEST(ReduceTest, AllGraphsOfFiveVertices) {
  Random random(1);
  for (int32_t n = 0; n <= 5; ++n) {
    std::vector<SignedEdge> pairs;
    for (int32_t v = 0; v < n; ++v) {
      for (int32_t u = 0; u < v; ++u) pairs.push_back({u, v, -1});
    }
    std::vector<SignedEdge> edges = pairs;
    size_t next = 0;
    do {
      const SignedGraph graph = *BuildSignedGraph(n, edges);
      ExpectSameProblem(graph, &random);
      ExpectSameOptimum(graph);
      // The next vector of weights in {-1, 0, 1}.
      for (next = 0; next < edges.size(); ++next) {
        edges[next].weight =
            edges[next].weight == 1 ? -1 : edges[next].weight + 1;
        if (edges[next].weight != -1) break;
      }
    } while (next < edges.size());
    if (HasFailure()) return;
  }
}

TEST(ReduceTest, RandomWeightedGraphs) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int32_t n =
        2 + static_cast<int32_t>(random.Below(seed % 50 == 0 ? 8 : 6));
    const uint64_t density = 1 + random.Below(10);
    const int64_t max_weight = 1 + static_cast<int64_t>(random.Below(9));
    const uint64_t positive = 3 + random.Below(6);
    std::vector<SignedEdge> edges;
    for (int32_t v = 0; v < n; ++v) {
      for (int32_t u = 0; u < v; ++u) {
        if (random.Below(10) >= density) continue;
        const int64_t weight =
            1 + static_cast<int64_t>(random.Below(max_weight));
        const bool is_positive = random.Below(10) < positive;
        edges.push_back({u, v, is_positive ? weight : -weight});
        if (random.Below(8) == 0) {
          edges.push_back({u, v, is_positive ? -weight : 2 * weight});
        }
      }
    }
    const SignedGraph graph = *BuildSignedGraph(n, edges, 10);
    ExpectSameProblem(graph, &random);
    ExpectSameOptimum(graph);
    if (HasFailure()) return;
  }
}

TEST(ReduceTest, RandomLargerGraphs) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int32_t n = 20 + static_cast<int32_t>(random.Below(200));
    const int64_t max_weight = 1 + static_cast<int64_t>(random.Below(30));
    std::vector<int64_t> weights(n * n);
    for (int64_t e = n * (1 + random.Below(5)); e > 0; --e) {
      const int64_t weight = 1 + static_cast<int64_t>(random.Below(max_weight));
      const uint64_t u = random.Below(n);
      const uint64_t v = random.Below(n);
      if (u < v) weights[u * n + v] = random.Below(3) > 0 ? weight : -weight;
    }
    std::vector<SignedEdge> edges;
    for (int32_t u = 0; u < n; ++u) {
      for (int32_t v = 0; v < n; ++v)
        edges.push_back({u, v, weights[u * n + v]});
    }
    edges.erase(std::remove_if(edges.begin(), edges.end(),
                               [](const SignedEdge& e) { return e.u >= e.v; }),
                edges.end());
    ExpectSameProblem(*BuildSignedGraph(n, edges), &random);
    if (HasFailure()) return;
  }
}

// Many vertices hang on few others, so that much is contracted.
SignedGraph LargeGraph() {
  constexpr int32_t kVertices = 60000;
  Random random(1);
  std::vector<SignedEdge> edges;
  for (int32_t v = 1; v < kVertices; ++v) {
    for (int i = 0; i < 5; ++i) {
      const int32_t u = static_cast<int32_t>(random.Below(v) / 4);
      if (u == v) continue;
      edges.push_back({u, v, random.Below(4) == 0 ? -1 : 1});
      if (random.Below(3) == 0) break;
    }
  }
  return *BuildSignedGraph(kVertices, edges);
}

TEST(ReduceTest, ThreadsDoNotShow) {
  const SignedGraph graph = LargeGraph();
  const ReducedGraph one = Reduce(graph);
  EXPECT_LT(one.graph.num_vertices(), graph.num_vertices() * 3 / 4);
  const Labels components = PositiveComponents(graph);
  for (const int threads : {2, 5}) {
    const ReducedGraph many = Reduce(graph, {nullptr, threads});
    EXPECT_EQ(many.graph.offsets, one.graph.offsets);
    EXPECT_EQ(many.graph.neighbors, one.graph.neighbors);
    EXPECT_EQ(many.graph.weights, one.graph.weights);
    EXPECT_EQ(many.graph.constant_cost, one.graph.constant_cost);
    EXPECT_EQ(many.group, one.group);
    EXPECT_EQ(many.representative, one.representative);
    EXPECT_EQ(PositiveComponents(graph, {nullptr, threads}), components);
  }
}

TEST(ReduceTest, AStopLeavesSomeOfTheGroups) {
  const SignedGraph graph = LargeGraph();
  const ReducedGraph whole = Reduce(graph);
  size_t stops = 0;
  int32_t fewest = graph.num_vertices();
  for (int limit = 1; limit < 100; ++limit) {
    SCOPED_TRACE(limit);
    int64_t readings = 0;
    const SearchControl control(limit, [&readings] { return ++readings; });
    Labels group = Reduce(graph, {&control, 1}).group;
    if (!control.ShouldStop()) break;
    ++stops;
    // Any two that are together now are together in the end.
    Labels both = whole.group;
    const int32_t num_groups = MakeCanonical(&group);
    EXPECT_EQ(Intersect(group, &both), num_groups);
    fewest = std::min(fewest, num_groups);
  }
  EXPECT_GE(stops, 3u);
  EXPECT_LT(fewest, graph.num_vertices());
}

TEST(ReduceTest, TreesAndCyclesVanish) {
  for (const int32_t n : {2, 3, 31, 32, 33, 1000}) {
    std::vector<SignedEdge> path, star;
    for (int32_t v = 1; v < n; ++v) {
      path.push_back({v - 1, v, v % 3 + 1});
      star.push_back({0, v, v});
    }
    EXPECT_EQ(Reduce(*BuildSignedGraph(n, path)).graph.num_vertices(), 1);
    EXPECT_EQ(Reduce(*BuildSignedGraph(n, star)).graph.num_vertices(), 1);
    if (n < 3) continue;
    path.push_back({0, n - 1, -1});
    const ReducedGraph cycle = Reduce(*BuildSignedGraph(n, path));
    EXPECT_TRUE(cycle.graph.neighbors.empty());
    EXPECT_EQ(cycle.graph.constant_cost, 1);
  }
}

TEST(ReduceTest, OnlyNegativeEdgesLeaveLoneVertices) {
  const SignedGraph graph =
      *BuildSignedGraph(4, {{0, 1, -1}, {1, 2, -5}, {0, 3, -2}});
  const ReducedGraph reduced = Reduce(graph);
  EXPECT_EQ(reduced.graph.offsets, (std::vector<int64_t>{0, 0, 0, 0, 0}));
  EXPECT_EQ(reduced.graph.num_edges(), 0);
  EXPECT_EQ(reduced.graph.negative_weight, 0);
  EXPECT_EQ(reduced.group, (Labels{0, 1, 2, 3}));
}

TEST(ReduceTest, NoVerticesOneAndNoEdges) {
  for (const int32_t n : {0, 1, 31}) {
    const ReducedGraph reduced = Reduce(*BuildSignedGraph(n, {}));
    EXPECT_EQ(reduced.graph.num_vertices(), n);
    EXPECT_EQ(reduced.group.size(), n);
    EXPECT_EQ(PositiveComponents(*BuildSignedGraph(n, {})).size(), n);
  }
}

TEST(ReduceTest, HeaviestWeights) {
  const int64_t heavy = kMaxSignedWeight / 4;
  const SignedGraph graph = *BuildSignedGraph(
      4, {{0, 1, heavy}, {1, 2, -heavy}, {0, 2, heavy}, {2, 3, heavy}});
  const ReducedGraph reduced = Reduce(graph);
  EXPECT_TRUE(reduced.graph.neighbors.empty());
  EXPECT_EQ(reduced.graph.constant_cost, heavy);
}

}  // namespace
}  // namespace warpclust
