// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/imbalance.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/io/signed_edge_list.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The formula as it is printed: sums over clusters, and over pairs of them, of
// the weights between their members.
SignedBalance ByClusters(int32_t n, const std::vector<SignedEdge>& edges,
                         const std::vector<int32_t>& labels) {
  std::vector<std::vector<int64_t>> plus(n, std::vector<int64_t>(n, 0));
  std::vector<std::vector<int64_t>> minus = plus;
  for (const SignedEdge& edge : edges) {
    auto& sums = edge.weight > 0 ? plus : minus;
    sums[edge.u][edge.v] += std::abs(edge.weight);
    sums[edge.v][edge.u] += std::abs(edge.weight);
  }
  const std::set<int32_t> clusters(labels.begin(), labels.end());
  SignedBalance result;
  for (const int32_t a : clusters) {
    for (const int32_t b : clusters) {
      if (b < a) continue;
      int64_t omega_plus = 0, omega_minus = 0;
      for (int32_t u = 0; u < n; ++u) {
        for (int32_t v = 0; v < n; ++v) {
          if (labels[u] != a || labels[v] != b || (a == b && u > v)) continue;
          omega_plus += plus[u][v];
          omega_minus += minus[u][v];
        }
      }
      result.imbalance += a == b ? omega_minus : omega_plus;
      result.balance += a == b ? omega_plus : omega_minus;
    }
  }
  return result;
}

TEST(ComputeSignedBalanceTest, ByHand) {
  const std::vector<SignedEdge> edges = {{0, 1, 5}, {1, 0, -2},  {1, 2, -3},
                                         {2, 3, 7}, {0, 3, -11}, {0, 2, 0}};
  const SignedGraph graph = *BuildSignedGraph(4, edges);
  const auto check = [&](const std::vector<int32_t>& labels, int64_t imbalance,
                         int64_t balance) {
    const SignedBalance a = *ComputeSignedBalance(edges, labels);
    EXPECT_EQ(a.imbalance, imbalance);
    EXPECT_EQ(a.balance, balance);
    const SignedBalance b = *ComputeSignedBalance(graph, labels);
    EXPECT_EQ(b.imbalance, imbalance);
    EXPECT_EQ(b.balance, balance);
  };
  check({0, 0, 1, 1}, 2, 26);
  check({0, 0, 0, 0}, 16, 12);
  check({3, -1, 0, 2000000000}, 12, 16);
  check({1, 0, 0, 1}, 5 + 3 + 7 + 11, 2);
}

TEST(ComputeSignedBalanceTest, RandomGraphs) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int32_t n = 1 + random() % 33;
    const int32_t num_labels = 1 + random() % n;
    std::vector<int32_t> labels;
    for (int32_t v = 0; v < n; ++v) labels.push_back(random() % num_labels);
    std::set<std::tuple<int32_t, int32_t, bool>> seen;
    std::vector<SignedEdge> edges;
    for (int i = random() % 300; i > 0; --i) {
      const int32_t u = random() % n, v = random() % n;
      const int64_t weight = static_cast<int64_t>(random() % 19) - 9;
      if (u == v ||
          !seen.insert({std::min(u, v), std::max(u, v), weight > 0}).second) {
        continue;
      }
      edges.push_back({u, v, weight});
    }
    const SignedBalance expected = ByClusters(n, edges, labels);
    const SignedGraph graph = *BuildSignedGraph(n, edges);
    for (const SignedBalance& actual : {*ComputeSignedBalance(edges, labels),
                                        *ComputeSignedBalance(graph, labels)}) {
      EXPECT_EQ(actual.imbalance, expected.imbalance);
      EXPECT_EQ(actual.balance, expected.balance);
      EXPECT_EQ(actual.imbalance + actual.balance,
                graph.positive_weight + graph.negative_weight);
    }
  }
}

TEST(ComputeSignedBalanceTest, BundledTribes) {
  const absl::StatusOr<SignedEdgeList> tribes =
      ReadSignedEdgeList("examples/tribes.txt");
  ASSERT_TRUE(tribes.ok()) << tribes.status();
  const SignedGraph& graph = tribes->graph;
  ASSERT_EQ(graph.num_vertices(), 16);
  EXPECT_EQ(graph.num_positive_edges, 29);
  EXPECT_EQ(graph.num_negative_edges, 29);
  EXPECT_EQ(graph.neighbors.size(), 2 * 58);
  // GAVEV, KOTUN, OVE, ...
  const std::vector<int32_t> labels = {0, 0, 1, 1, 2, 1, 1, 1,
                                       2, 2, 1, 1, 2, 2, 0, 0};
  EXPECT_EQ(ComputeSignedBalance(graph, labels)->imbalance, 2);
  EXPECT_EQ(ComputeSignedBalance(graph, labels)->balance, 56);

  const std::vector<ClusterImbalance> costs =
      ClusterImbalances(graph, labels, 3);
  ASSERT_EQ(costs.size(), 3u);
  for (const ClusterImbalance& cost : costs) {
    EXPECT_EQ(cost.negative_inside, 0);
  }
  EXPECT_EQ(costs[0].positive_outside, 0);
  EXPECT_EQ(costs[1].positive_outside, 2);
  EXPECT_EQ(costs[2].positive_outside, 2);
  const std::vector<ClusterImbalance> together =
      ClusterImbalances(graph, std::vector<int32_t>(16, 0), 1);
  EXPECT_EQ(together[0].negative_inside, 29);
  EXPECT_EQ(together[0].positive_outside, 0);
}

TEST(ComputeSignedBalanceTest, NoEdges) {
  for (const int32_t n : {0, 1, 32}) {
    const std::vector<int32_t> labels(n, 4);
    const SignedGraph graph = *BuildSignedGraph(n, {});
    EXPECT_EQ(ComputeSignedBalance(graph, labels)->imbalance, 0);
    EXPECT_EQ(ComputeSignedBalance(graph, labels)->balance, 0);
    EXPECT_EQ(
        ComputeSignedBalance(std::vector<SignedEdge>(), labels)->imbalance, 0);
  }
}

TEST(ComputeSignedBalanceTest, Errors) {
  const auto code = [](const auto& graph, const std::vector<int32_t>& labels) {
    return ComputeSignedBalance(graph, labels).status().code();
  };
  const std::vector<SignedEdge> edges = {{0, 1, 1}, {1, 2, -1}};
  const SignedGraph graph = *BuildSignedGraph(3, edges);
  constexpr absl::StatusCode kBad = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(code(graph, {0, 0, 0}), absl::StatusCode::kOk);
  EXPECT_EQ(code(graph, {0, 0}), kBad);
  EXPECT_EQ(code(graph, {0, 0, 0, 0}), kBad);
  EXPECT_EQ(code(graph, {}), kBad);
  EXPECT_EQ(code(edges, {0, 0}), kBad);
  EXPECT_EQ(code(std::vector<SignedEdge>{{-1, 1, 1}}, {0, 0}), kBad);
  constexpr int64_t kMost = kMaxSignedWeight;
  using Edges = std::vector<SignedEdge>;
  EXPECT_EQ(code(Edges{{0, 1, kMost}}, {0, 0}), absl::StatusCode::kOk);
  EXPECT_EQ(code(Edges{{0, 1, kMost}, {0, 1, -1}}, {0, 0}), kBad);
  EXPECT_EQ(code(Edges{{0, 1, kMost}, {0, 1, 1}}, {0, 1}), kBad);
  EXPECT_EQ(code(Edges{{0, 1, std::numeric_limits<int64_t>::min()}}, {0, 1}),
            kBad);
}

}  // namespace
}  // namespace warpclust
