// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/signed/signed_graph.h"

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Pair = std::pair<int32_t, int32_t>;

bool operator==(const SignedGraph& a, const SignedGraph& b) {
  return a.offsets == b.offsets && a.neighbors == b.neighbors &&
         a.weights == b.weights && a.units_per_one == b.units_per_one &&
         a.constant_cost == b.constant_cost &&
         a.num_positive_edges == b.num_positive_edges &&
         a.num_negative_edges == b.num_negative_edges &&
         a.positive_weight == b.positive_weight &&
         a.negative_weight == b.negative_weight;
}

// Straight from the banner of the header; no conflicts.
SignedGraph NaiveGraph(int32_t n, const std::vector<SignedEdge>& edges) {
  std::map<Pair, int64_t> positive, negative;
  for (const SignedEdge& edge : edges) {
    const Pair pair = std::minmax(edge.u, edge.v);
    if (edge.weight > 0) positive[pair] = edge.weight;
    if (edge.weight < 0) negative[pair] = -edge.weight;
  }
  SignedGraph graph;
  for (int32_t v = 0; v < n; ++v) {
    for (int32_t u = 0; u < n; ++u) {
      const Pair pair = std::minmax(u, v);
      const auto p = positive.find(pair), q = negative.find(pair);
      const int64_t plus = p == positive.end() ? 0 : p->second;
      const int64_t minus = q == negative.end() ? 0 : q->second;
      if (v < u) {
        graph.constant_cost += std::min(plus, minus);
        graph.positive_weight += plus;
        graph.negative_weight += minus;
      }
      if (plus == minus) continue;
      graph.neighbors.push_back(u);
      graph.weights.push_back(plus - minus);
    }
    graph.offsets.push_back(graph.neighbors.size());
  }
  graph.num_positive_edges = positive.size();
  graph.num_negative_edges = negative.size();
  return graph;
}

TEST(BuildSignedGraphTest, SmallExample) {
  const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(
      5,
      std::vector<SignedEdge>{
          {3, 0, 4}, {0, 1, 5}, {1, 0, -2}, {2, 1, -3}, {1, 2, 3}, {2, 3, 0}},
      10);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->offsets, (std::vector<int64_t>{0, 2, 3, 3, 4, 4}));
  EXPECT_EQ(graph->neighbors, (std::vector<int32_t>{1, 3, 0, 0}));
  EXPECT_EQ(graph->weights, (std::vector<int64_t>{3, 4, 3, 4}));
  EXPECT_EQ(graph->units_per_one, 10);
  EXPECT_EQ(graph->constant_cost, 5);
  EXPECT_EQ(graph->num_positive_edges, 3);
  EXPECT_EQ(graph->num_negative_edges, 2);
  EXPECT_EQ(graph->num_edges(), 5);
  EXPECT_EQ(graph->positive_weight, 12);
  EXPECT_EQ(graph->negative_weight, 5);
  EXPECT_EQ(graph->Degree(0), 2);
  EXPECT_EQ(graph->NeighborsOf(0)[1], 3);
  EXPECT_EQ(graph->WeightsOf(3)[0], 4);
  EXPECT_TRUE(ValidateSignedGraph(*graph).ok());
}

TEST(BuildSignedGraphTest, NoEdges) {
  for (const int32_t n : {0, 1, 31, 32, 33}) {
    const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(n, {});
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_EQ(graph->num_vertices(), n);
    EXPECT_EQ(graph->num_edges(), 0);
    EXPECT_TRUE(ValidateSignedGraph(*graph).ok());
  }
  EXPECT_TRUE(ValidateSignedGraph(SignedGraph()).ok());
}

TEST(BuildSignedGraphTest, EqualsTheNaiveOneOnRandomEdges) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const int32_t n = 2 + random() % 40;
    const int max_weight = 1 + random() % 4;
    std::map<std::pair<Pair, bool>, int64_t> known;
    std::vector<SignedEdge> edges;
    for (int tries = random() % 400; tries > 0; --tries) {
      const int32_t u = random() % n, v = random() % n;
      if (u == v) continue;
      int64_t weight =
          static_cast<int>(random() % (2 * max_weight + 1)) - max_weight;
      if (weight != 0) {
        weight = known.try_emplace({std::minmax(u, v), weight > 0}, weight)
                     .first->second;
      }
      edges.push_back({u, v, weight});
    }
    const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(n, edges);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_TRUE(*graph == NaiveGraph(n, edges));
    EXPECT_TRUE(ValidateSignedGraph(*graph).ok())
        << ValidateSignedGraph(*graph);

    // Neither order nor direction shows.
    std::shuffle(edges.begin(), edges.end(), random);
    for (SignedEdge& edge : edges) {
      if (random() % 2) std::swap(edge.u, edge.v);
    }
    EXPECT_TRUE(*BuildSignedGraph(n, edges) == *graph);
  }
}

// Enough edges for several threads.
std::vector<SignedEdge> ManyEdges(int32_t n) {
  std::mt19937 random(1);
  std::vector<SignedEdge> edges;
  while (edges.size() < 150000) {
    const int32_t u = random() % n, v = random() % n / (1 + random() % 9);
    if (u != v) edges.push_back({u, v, random() % 3 == 0 ? -2 : 3});
  }
  return edges;
}

TEST(BuildSignedGraphTest, ThreadsDoNotShow) {
  const std::vector<SignedEdge> edges = ManyEdges(2000);
  const SignedGraph one = *BuildSignedGraph(2000, edges);
  EXPECT_TRUE(one == NaiveGraph(2000, edges));
  for (const int threads : {2, 3, 8}) {
    EXPECT_TRUE(*BuildSignedGraph(2000, edges, 1, threads) == one);
    EXPECT_TRUE(ValidateSignedGraph(one, threads).ok());
  }
}

TEST(BuildSignedGraphTest, ThreadsReportTheFirstError) {
  std::mt19937 random(2);
  const std::vector<SignedEdge> good = ManyEdges(2000);
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<SignedEdge> edges = good;
    for (int i = 0; i < 5; ++i) {
      SignedEdge& edge = edges[random() % edges.size()];
      if (trial % 3 == 0) edge.u = 2000;
      if (trial % 3 == 1) edges.push_back({edge.v, edge.u, edge.weight * 5});
      if (trial % 3 == 2) edge.weight *= kMaxSignedWeight / 8;
    }
    const absl::Status one = BuildSignedGraph(2000, edges).status();
    EXPECT_FALSE(one.ok());
    for (const int threads : {2, 5}) {
      EXPECT_EQ(BuildSignedGraph(2000, edges, 1, threads).status(), one);
    }
  }
}

TEST(BuildSignedGraphTest, ManyEdgesInPartsAndThreads) {
  std::mt19937 random(5);
  constexpr int32_t kVertices = 3200;  // The last ones are for errors.
  const int32_t n = 3000;
  std::map<std::pair<Pair, bool>, int64_t> known;
  // Enough for several threads.
  std::vector<SignedEdge> edges;
  while (edges.size() < 270'000) {
    // Many edges have an end among the first vertices.
    const int32_t u = random() % n, v = random() % (random() % 2 ? n : 5);
    const int64_t weight = static_cast<int>(random() % 9) - 4;
    if (u == v || weight == 0) continue;
    edges.push_back({u, v,
                     known.try_emplace({std::minmax(u, v), weight > 0}, weight)
                         .first->second});
  }
  const SignedGraph expected = NaiveGraph(kVertices, edges);
  internal::ConflictingSignedPair conflict;
  const auto build = [&](int threads) {
    std::vector<absl::Span<const SignedEdge>> parts;
    const absl::Span<const SignedEdge> all = edges;
    for (size_t begin = 0; begin < all.size();) {
      parts.push_back(all.subspan(begin, random() % 9000));
      begin += parts.back().size();
    }
    return internal::BuildSignedGraph(kVertices, parts, 1, threads, &conflict);
  };
  for (const int threads : {1, 2, 3, 40}) {
    const absl::StatusOr<SignedGraph> graph = build(threads);
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_TRUE(*graph == expected) << threads << " threads";
  }

  // The first pair in the order of the rows, with its first edges.
  edges.insert(edges.begin() + 20'000, {3015, 3001, -6});
  edges.insert(edges.begin() + 30'000, {3010, 3002, 8});
  edges.push_back({3002, 3010, 7});
  edges.push_back({3001, 3015, -7});
  edges.push_back({3015, 3001, -8});
  edges.push_back({3001, 3016, 9});
  edges.push_back({3001, 3016, 10});
  for (const int threads : {1, 2, 3, 40}) {
    EXPECT_EQ(
        build(threads).status().message(),
        "edge (3001, 3015): expected one negative weight, found -6 and -7");
    EXPECT_EQ(conflict.u, 3001);
    EXPECT_EQ(conflict.v, 3015);
  }
  // Too much in the rows before.
  for (int i = 0; i < 9; ++i) edges.push_back({3001 + i, 90, kMaxSignedWeight});
  for (const int threads : {1, 2, 3, 40}) {
    EXPECT_TRUE(
        absl::StrContains(build(threads).status().message(), "sum to at most"));
    EXPECT_EQ(conflict.u, -1);
  }
}

TEST(BuildSignedGraphTest, Errors) {
  const auto error = [](int32_t n, const std::vector<SignedEdge>& edges,
                        int64_t units = 1) {
    const absl::Status status = BuildSignedGraph(n, edges, units).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_TRUE(absl::StrContains(error(-1, {}), "found -1"));
  for (const int64_t units : {0, -10, 7, 20, 101}) {
    EXPECT_TRUE(absl::StrContains(error(2, {}, units), "power of ten"));
  }
  EXPECT_EQ(error(2, {{0, 1, 1}, {1, 2, 1}}),
            "edge 1 (1, 2): expected vertices in [0, 2)");
  EXPECT_EQ(error(2, {{-1, 0, 1}}),
            "edge 0 (-1, 0): expected vertices in [0, 2)");
  EXPECT_EQ(error(2, {{1, 1, 1}}),
            "edge 0 (1, 1): expected two different vertices, found a loop");
  EXPECT_EQ(error(3, {{2, 1, -4}, {0, 1, 3}, {1, 2, -5}}),
            "edge (1, 2): expected one negative weight, found -4 and -5");
}

TEST(BuildSignedGraphTest, ConflictIsNamed) {
  internal::ConflictingSignedPair conflict;
  const std::vector<SignedEdge> edges = {{3, 1, 2}, {1, 3, -2}, {1, 3, 4}};
  EXPECT_FALSE(internal::BuildSignedGraph(4, {edges}, 1, 1, &conflict).ok());
  EXPECT_EQ(conflict.u, 1);
  EXPECT_EQ(conflict.v, 3);
  EXPECT_TRUE(
      internal::BuildSignedGraph(4, {absl::MakeConstSpan(edges).subspan(0, 2)},
                                 1, 1, &conflict)
          .ok());
  EXPECT_EQ(conflict.u, -1);
}

TEST(BuildSignedGraphTest, HeaviestWeights) {
  constexpr int64_t kMost = kMaxSignedWeight;
  const auto ok = [](const std::vector<SignedEdge>& edges) {
    return BuildSignedGraph(4, edges).ok();
  };
  EXPECT_TRUE(ok({{0, 1, kMost}}));
  EXPECT_TRUE(ok({{0, 1, -kMost}, {1, 0, -kMost}}));  // Counts once.
  EXPECT_TRUE(ok({{0, 1, kMost - 5}, {0, 2, -5}}));
  EXPECT_FALSE(ok({{0, 1, kMost + 1}}));
  EXPECT_FALSE(ok({{0, 1, -kMost - 1}}));
  EXPECT_FALSE(ok({{0, 1, std::numeric_limits<int64_t>::min()}}));
  EXPECT_FALSE(ok({{0, 1, kMost}, {2, 3, -1}}));
  EXPECT_FALSE(ok({{0, 1, kMost}, {0, 1, -kMost}}));
  EXPECT_FALSE(ok({{0, 1, kMost}, {1, 2, kMost}, {2, 3, kMost}}));
}

TEST(ValidateSignedGraphTest, ThreadsReportTheFirstFault) {
  const SignedGraph good = *BuildSignedGraph(2000, ManyEdges(2000));
  std::mt19937 random(3);
  for (int trial = 0; trial < 24; ++trial) {
    SignedGraph graph = good;
    for (int i = 0; i <= trial % 3; ++i) {
      const size_t entry = random() % graph.neighbors.size();
      if (trial % 4 == 0) graph.weights[entry] += 10;
      if (trial % 4 == 1) graph.weights[entry] = 0;
      if (trial % 4 >= 2) graph.neighbors[entry] += trial % 4 == 2 ? 1 : -1;
    }
    const absl::Status one = ValidateSignedGraph(graph);
    EXPECT_FALSE(one.ok());
    for (const int threads : {2, 7}) {
      EXPECT_EQ(ValidateSignedGraph(graph, threads), one);
    }
  }
  // An edge that only the later row has.
  SignedGraph graph = good;
  const auto from = graph.NeighborsOf(1500);
  const int32_t u = *(std::lower_bound(from.begin(), from.end(), 1500) - 1);
  const auto row = graph.NeighborsOf(u);
  const int64_t place = graph.offsets[u] +
                        (std::find(row.begin(), row.end(), 1500) - row.begin());
  graph.neighbors.erase(graph.neighbors.begin() + place);
  graph.weights.erase(graph.weights.begin() + place);
  for (size_t v = u + 1; v < graph.offsets.size(); ++v) --graph.offsets[v];
  for (const int threads : {1, 4}) {
    EXPECT_EQ(ValidateSignedGraph(graph, threads).message(),
              absl::StrCat("signed graph: vertex 1500: expected its edge to "
                           "vertex ",
                           u, " in both rows, found it in one"));
  }
}

TEST(ValidateSignedGraphTest, FindsEveryFault) {
  const SignedGraph good = *BuildSignedGraph(
      4, std::vector<SignedEdge>{{0, 1, 5}, {1, 0, -2}, {1, 2, -3}, {2, 3, 1}});
  ASSERT_TRUE(ValidateSignedGraph(good).ok());
  const auto bad = [&](auto change) {
    SignedGraph graph = good;
    change(graph);
    return ValidateSignedGraph(graph).code() ==
           absl::StatusCode::kInvalidArgument;
  };
  // Groups of vertices may cost something inside.
  EXPECT_FALSE(bad([](SignedGraph& g) { ++g.constant_cost; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.offsets.clear(); }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.offsets[0] = 1; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.offsets.back() = 7; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.offsets[1] = 9; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.weights.pop_back(); }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.neighbors[0] = 0; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.neighbors[0] = 4; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.neighbors[0] = -1; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.neighbors[0] = 3; }));
  EXPECT_TRUE(
      bad([](SignedGraph& g) { std::swap(g.neighbors[1], g.neighbors[2]); }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.weights[0] = 0; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.weights[0] = 4; }));
  EXPECT_TRUE(bad([](SignedGraph& g) {
    g.weights[0] = g.weights[1] = std::numeric_limits<int64_t>::min();
  }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.units_per_one = 0; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.units_per_one = 5; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { --g.constant_cost; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.constant_cost = -1; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.constant_cost = INT64_MAX; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { ++g.positive_weight; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { --g.negative_weight; }));
  EXPECT_TRUE(bad([](SignedGraph& g) {
    --g.positive_weight;
    --g.negative_weight;
    g.num_positive_edges += 5;
  }));
  EXPECT_TRUE(bad([](SignedGraph& g) {
    g.positive_weight = 3;
    g.negative_weight = 0;
  }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.positive_weight = INT64_MAX; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { --g.num_positive_edges; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { --g.num_negative_edges; }));
  EXPECT_TRUE(bad([](SignedGraph& g) { g.num_negative_edges += 2; }));
}

}  // namespace
}  // namespace warpclust
