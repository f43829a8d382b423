// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/contraction.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Formula 1, without relying on the order of the rows.
int64_t NaiveImbalance(const SignedGraph& graph, const Labels& labels) {
  int64_t twice = 0;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const bool together = labels[v] == labels[graph.neighbors[i]];
      const int64_t weight = graph.weights[i];
      if (together && weight < 0) twice -= weight;
      if (!together && weight > 0) twice += weight;
    }
  }
  return graph.constant_cost + twice / 2;
}

SignedGraph RandomGraph(int32_t n, int num_edges, int max_weight,
                        Random* random) {
  std::vector<SignedEdge> edges;
  std::vector<bool> known(2 * n * n);
  for (int e = 0; e < num_edges; ++e) {
    const int32_t u = static_cast<int32_t>(random->Below(n));
    const int32_t v = static_cast<int32_t>(random->Below(n));
    const bool negative = random->Below(2) == 1;
    if (u >= v || known[2 * (u * n + v) + negative]) continue;
    known[2 * (u * n + v) + negative] = true;
    const int64_t weight = 1 + static_cast<int64_t>(random->Below(max_weight));
    edges.push_back({u, v, negative ? -weight : weight});
  }
  return *BuildSignedGraph(n, edges, 10);
}

// Every group has a member.
Labels RandomGroups(int32_t n, int32_t num_groups, Random* random) {
  Labels group(n);
  for (int32_t v = 0; v < n; ++v) {
    group[v] = static_cast<int32_t>(random->Below(num_groups));
    if (v < num_groups) group[v] = v;
  }
  for (int32_t v = n - 1; v > 0; --v) {
    std::swap(group[v], group[random->Below(v + 1)]);
  }
  return group;
}

// Checks what signed_graph.h says about rows and contraction.h about sums.
void ExpectWellFormed(SignedGraph graph) {
  EXPECT_GE(graph.constant_cost, 0);
  graph.constant_cost = 0;
  EXPECT_TRUE(ValidateSignedGraph(graph).ok()) << ValidateSignedGraph(graph);
}

TEST(ContractTest, WorkedExample) {
  const SignedGraph graph = *BuildSignedGraph(
      5, {{0, 1, 5}, {0, 2, -2}, {1, 2, 4}, {0, 3, -7}, {2, 4, 3}, {3, 4, -1}});
  const SignedGraph result = Contract(graph, {1, 1, 0, 1, 2}, 3);
  // Inside {0, 1, 3}: 5 - 7. To {2}: -2 and 4; {2} to {4}: 3; {3} to {4}: -1.
  EXPECT_EQ(result.offsets, (std::vector<int64_t>{0, 2, 4, 6}));
  EXPECT_EQ(result.neighbors, (std::vector<int32_t>{1, 2, 0, 2, 0, 1}));
  EXPECT_EQ(result.weights, (std::vector<int64_t>{2, 3, 2, -1, 3, -1}));
  EXPECT_EQ(result.constant_cost, 7 + 2);
  EXPECT_EQ(result.num_positive_edges, 2);
  EXPECT_EQ(result.num_negative_edges, 1);
  EXPECT_EQ(result.positive_weight, 5);
  EXPECT_EQ(result.negative_weight, 1);
}

TEST(ContractTest, KeepsTheImbalanceOfEveryClusteringOfGroups) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int32_t n = 1 + static_cast<int32_t>(random.Below(40));
    const SignedGraph graph =
        RandomGraph(n, static_cast<int>(random.Below(500)),
                    1 + static_cast<int>(random.Below(5)), &random);
    const int32_t num_groups = 1 + static_cast<int32_t>(random.Below(n));
    const Labels group = RandomGroups(n, num_groups, &random);
    const SignedGraph result = Contract(graph, group, num_groups);
    ASSERT_EQ(result.num_vertices(), num_groups);
    EXPECT_EQ(result.units_per_one, 10);
    ExpectWellFormed(result);
    for (int trial = 0; trial < 10; ++trial) {
      Labels labels(num_groups);
      for (int32_t& label : labels) {
        label = static_cast<int32_t>(random.Below(1 + trial));
      }
      EXPECT_EQ(NaiveImbalance(result, labels),
                NaiveImbalance(graph, Expand(group, labels)));
    }
  }
}

TEST(ContractTest, OneGroupCostsAllNegativeEdges) {
  Random random(7);
  const SignedGraph graph = RandomGraph(33, 400, 9, &random);
  const SignedGraph result = Contract(graph, Labels(33, 0), 1);
  EXPECT_EQ(result.offsets, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(result.constant_cost, graph.negative_weight);
}

TEST(ContractTest, SingleVerticesAreTheSameGraph) {
  Random random(8);
  const SignedGraph graph = RandomGraph(32, 600, 3, &random);
  Labels group(32);
  for (int32_t v = 0; v < 32; ++v) group[v] = v;
  const SignedGraph result = Contract(graph, group, 32);
  EXPECT_EQ(result.offsets, graph.offsets);
  EXPECT_EQ(result.neighbors, graph.neighbors);
  EXPECT_EQ(result.weights, graph.weights);
  EXPECT_EQ(result.constant_cost, graph.constant_cost);
}

TEST(ContractTest, ThreadsDoNotShowAndAStopLeavesNothing) {
  constexpr int32_t kVertices = 3000;
  Random random(1);
  std::vector<SignedEdge> edges;
  for (int32_t v = 1; v < kVertices; ++v) {
    for (int32_t i = 0; i < 150 && i < v; ++i) {
      const int32_t u = static_cast<int32_t>(random.Below(v));
      edges.push_back({u, v, random.Below(3) == 0 ? -1 : 1});
    }
  }
  const SignedGraph graph = *BuildSignedGraph(kVertices, edges);
  for (const int32_t num_groups : {1, 40, kVertices / 2}) {
    Labels group(kVertices);
    for (int32_t v = 0; v < kVertices; ++v) group[v] = v % num_groups;
    const SignedGraph one = Contract(graph, group, num_groups);
    for (const int threads : {2, 5}) {
      const SignedGraph many =
          Contract(graph, group, num_groups, {nullptr, threads});
      EXPECT_EQ(many.offsets, one.offsets);
      EXPECT_EQ(many.neighbors, one.neighbors);
      EXPECT_EQ(many.weights, one.weights);
      EXPECT_EQ(many.constant_cost, one.constant_cost);
      EXPECT_EQ(many.positive_weight, one.positive_weight);
      EXPECT_EQ(many.negative_weight, one.negative_weight);
      EXPECT_EQ(many.num_positive_edges, one.num_positive_edges);
      EXPECT_EQ(many.num_negative_edges, one.num_negative_edges);
      SearchControl stopped;
      stopped.RequestStop();
      EXPECT_EQ(Contract(graph, group, num_groups, {&stopped, threads})
                    .num_vertices(),
                0);
    }
  }
}

TEST(ContractTest, HeaviestWeights) {
  const SignedGraph graph = *BuildSignedGraph(
      4, {{0, 1, -kMaxSignedWeight / 2}, {2, 3, kMaxSignedWeight / 2}});
  EXPECT_EQ(Contract(graph, {0, 0, 1, 1}, 2).constant_cost,
            kMaxSignedWeight / 2);
  EXPECT_EQ(Contract(graph, {0, 1, 0, 1}, 2).constant_cost,
            kMaxSignedWeight / 2);
}

TEST(ContractTest, NoVerticesAndNoEdges) {
  EXPECT_EQ(Contract(SignedGraph(), {}, 0).num_vertices(), 0);
  const SignedGraph lone = *BuildSignedGraph(31, {});
  const SignedGraph result = Contract(lone, Labels(31, 0), 1);
  EXPECT_EQ(result.num_vertices(), 1);
  EXPECT_EQ(result.constant_cost, 0);
}

TEST(ExpandTest, FollowsTheGroups) {
  EXPECT_EQ(Expand({2, 0, 2, 1}, {5, 3, 4}), (Labels{4, 5, 4, 3}));
  EXPECT_EQ(Expand({}, {}), Labels());
}

}  // namespace
}  // namespace warpclust
