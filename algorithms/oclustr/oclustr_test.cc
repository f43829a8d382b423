// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "algorithms/oclustr/testing/oclustr_oracle.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/star_cover.h"
#include "graph/stars/useful_clusters.h"
#include "graph/stars/useful_clusters_from_rows.h"
#include "graph/testing/random_star_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

OClustRResult Cluster(const CsrGraph& graph, int num_threads = 0) {
  OClustROptions options;
  options.device = Device::kCpu;
  options.num_threads = num_threads;
  absl::StatusOr<OClustRResult> result = OClustR(graph, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.ok() ? *std::move(result) : OClustRResult();
}

std::vector<int32_t> Members(const OClustRResult& result, int32_t cluster) {
  const absl::Span<const int32_t> members = result.cover.MembersOf(cluster);
  return {members.begin(), members.end()};
}

void ExpectSame(const OClustRResult& a, const OClustRResult& b) {
  EXPECT_EQ(a.cover, b.cover);
  EXPECT_EQ(a.centers, b.centers);
  EXPECT_EQ(a.num_satellites, b.num_satellites);
  EXPECT_EQ(a.linked_offsets, b.linked_offsets);
  EXPECT_EQ(a.linked, b.linked);
  EXPECT_EQ(a.num_initial_centers, b.num_initial_centers);
}

// Each condition is stated by itself, not by the way it was reached.
void ExpectDefinition(const CsrGraph& graph, const OClustRResult& result) {
  const int32_t n = graph.num_vertices();
  std::vector<int32_t> times_covered(n, 0);
  std::vector<bool> is_center(n, false);
  for (const int32_t center : result.centers) is_center[center] = true;
  for (int32_t c = 0; c < result.cover.num_clusters(); ++c) {
    const int32_t center = result.centers[c];
    std::set<int32_t> expected = {center};
    const auto row = graph.NeighborsOf(center);
    expected.insert(row.begin(), row.end());
    EXPECT_EQ(result.num_satellites[c], static_cast<int32_t>(row.size()));
    for (const int32_t x : result.LinkedOf(c)) {
      EXPECT_TRUE(expected.insert(x).second) << x << " linked and satellite";
    }
    EXPECT_EQ(Members(result, c),
              std::vector<int32_t>(expected.begin(), expected.end()));
    for (const int32_t x : expected) ++times_covered[x];
    if (c > 0) {
      const int32_t before = result.cover.MembersOf(c - 1).front();
      EXPECT_LE(before, *expected.begin());
    }
  }
  for (int32_t v = 0; v < n; ++v) EXPECT_GT(times_covered[v], 0) << v;
  // No star is superfluous: stars of final centers, linked vertices not
  // counted, hold at least half of themselves alone or touch no other center of
  // higher rank. Checked for centers all of whose adjacent centers remained.
  std::vector<int32_t> stars(n, 0);
  for (const int32_t center : result.centers) {
    ++stars[center];
    for (const int32_t u : graph.NeighborsOf(center)) ++stars[u];
  }
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph);
  ASSERT_TRUE(table.ok());
  for (const int32_t u : result.centers) {
    int64_t alone = stars[u] == 1, beside_earlier = 0;
    for (const int32_t x : graph.NeighborsOf(u)) {
      alone += stars[x] == 1;
      beside_earlier += is_center[x] && DegreeOrder{*table}(x, u);
    }
    if (beside_earlier == 0) continue;
    // Removals only ever lower what u shares, so a star that was useful when an
    // earlier center looked at it is useful at the end.
    EXPECT_LE(graph.Degree(u) + 1 - alone, alone) << "center " << u;
  }
}

TEST(OClustRTest, EqualsTheTextbookOnRandomGraphs) {
  for (uint32_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const CsrGraph graph = RandomGraph(seed);
    const NaiveOClustRResult expected = NaiveOClustR(graph);
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph);
    ASSERT_TRUE(table.ok()) << table.status();
    ASSERT_EQ(std::vector<int64_t>(table->counts.begin(), table->counts.end()),
              expected.relevance_counts);
    const std::vector<int32_t> centers = InitialCenters(graph, *table);
    ASSERT_EQ(std::set<int32_t>(centers.begin(), centers.end()),
              expected.initial_centers);

    const OClustRResult result = Cluster(graph, 1 + seed % 3);
    ASSERT_EQ(result.cover.num_clusters(),
              static_cast<int32_t>(expected.clusters.size()));
    EXPECT_EQ(result.num_initial_centers,
              static_cast<int32_t>(expected.initial_centers.size()));
    for (int32_t c = 0; c < result.cover.num_clusters(); ++c) {
      const NaiveCluster& cluster = expected.clusters[c];
      ASSERT_EQ(result.centers[c], cluster.center);
      ASSERT_EQ(
          Members(result, c),
          std::vector<int32_t>(cluster.members.begin(), cluster.members.end()));
      const auto linked = result.LinkedOf(c);
      ASSERT_EQ(std::set<int32_t>(linked.begin(), linked.end()),
                cluster.linked);
    }
    EXPECT_EQ(result.num_edges, graph.num_edges());
    ExpectDefinition(graph, result);
  }
}

// The random graphs above must reach what they are for.
TEST(OClustRTest, RandomGraphsReachEveryRule) {
  int removals = 0, links = 0, isolated = 0, empty = 0, irrelevant = 0;
  for (uint32_t seed = 0; seed < 5000; ++seed) {
    const CsrGraph graph = RandomGraph(seed);
    const OClustRResult result = Cluster(graph, 1);
    removals += result.num_initial_centers > result.cover.num_clusters();
    links += !result.linked.empty();
    empty += graph.num_vertices() == 0;
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      isolated += graph.Degree(v) == 0;
      irrelevant += graph.Degree(v) > 0 && table->counts[v] == 0;
    }
  }
  EXPECT_GT(removals, 100);
  EXPECT_GT(links, 100);
  EXPECT_GT(isolated, 100);
  EXPECT_GT(empty, 0);
  EXPECT_GT(irrelevant, 100);
}

TEST(OClustRTest, SmallestGraphs) {
  EXPECT_EQ(Cluster(CsrGraph()).cover.num_clusters(), 0);
  EXPECT_EQ(Cluster(*BuildCsrGraph(1, {})).cover.members,
            (std::vector<int32_t>{0}));
  const OClustRResult apart = Cluster(*BuildCsrGraph(2, {}));
  EXPECT_EQ(apart.cover.offsets, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(apart.cover.members, (std::vector<int32_t>{0, 1}));
  const OClustRResult pair =
      Cluster(*BuildCsrGraph(2, std::vector<WeightedEdge>{{0, 1, 0.5f}}));
  EXPECT_EQ(pair.cover.offsets, (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(pair.centers, (std::vector<int32_t>{0}));
  EXPECT_EQ(pair.num_satellites, (std::vector<int32_t>{1}));
}

TEST(OClustRTest, StarAndClique) {
  std::vector<WeightedEdge> star, clique;
  for (int32_t v = 0; v < 6; ++v) {
    if (v != 4) star.push_back({4, v, 0.5f});
    for (int32_t u = 0; u < v; ++u) clique.push_back({u, v, 0.5f});
  }
  for (const auto& edges : {star, clique}) {
    const OClustRResult result = Cluster(*BuildCsrGraph(6, edges));
    EXPECT_EQ(result.cover.members, (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(result.centers.size(), 1);
  }
  EXPECT_EQ(Cluster(*BuildCsrGraph(6, star)).centers[0], 4);
  EXPECT_EQ(Cluster(*BuildCsrGraph(6, clique)).centers[0], 0);
}

// Two hubs that share one satellite overlap in it:
//   0 - 1, 2, 3, 4    5 - 4, 6, 7, 8    all weights 1/2.
// Hubs: degree 4, relevance 1. Vertex 4 (degree 2, equal AIS): 1/2.
TEST(OClustRTest, WorkedOverlap) {
  std::vector<WeightedEdge> edges;
  for (const int32_t v : {1, 2, 3, 4}) edges.push_back({0, v, 0.5f});
  for (const int32_t v : {4, 6, 7, 8}) edges.push_back({5, v, 0.5f});
  const CsrGraph graph = *BuildCsrGraph(9, edges);
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph);
  ASSERT_TRUE(table.ok());
  const auto relevance = [&](int32_t v) {
    return table->counts[v] / (2.0 * table->degrees[v]);
  };
  EXPECT_EQ(relevance(0), 1.0);
  EXPECT_EQ(relevance(5), 1.0);
  EXPECT_EQ(relevance(4), 0.5);
  EXPECT_EQ(relevance(1), 0.5);
  EXPECT_EQ(table->weight_sums[4] / table->scale.factor / table->degrees[4],
            0.5);
  const OClustRResult result = Cluster(graph);
  EXPECT_EQ(result.centers, (std::vector<int32_t>{0, 5}));
  EXPECT_EQ(Members(result, 0), (std::vector<int32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(Members(result, 1), (std::vector<int32_t>{4, 5, 6, 7, 8}));
  EXPECT_TRUE(result.linked.empty());
}

// A useless star, worked by hand. Hub 0 joins 1..5 by 0.5; vertex 5 joins 4 by
// 0.5 and 6 by 0.25.
//   v  degree  AIS         density  compactness  relevance
//   0  5       0.5         5/5      5/5          1
//   5  3       1.25/3      2/3      1/3          1/2
//   4  2       0.5         0/2      2/2          1/2
//   6  1       0.25        0        0            0: not in L
// L: 0, then (relevance 1/2, degree) 5, 4, 1, 2, 3. 0 covers all but 6, so 5 is
// taken for it. Star {4, 5, 6, 0} of 5 shares 0, 4, 5 and has 6 alone: it goes,
// and 6 is linked to 0.
TEST(OClustRTest, WorkedLink) {
  const CsrGraph graph =
      *BuildCsrGraph(7, std::vector<WeightedEdge>{{0, 1, 0.5f},
                                                  {0, 2, 0.5f},
                                                  {0, 3, 0.5f},
                                                  {0, 4, 0.5f},
                                                  {0, 5, 0.5f},
                                                  {5, 4, 0.5f},
                                                  {5, 6, 0.25f}});
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->counts, (std::vector<uint32_t>{10, 1, 1, 1, 2, 3, 0}));
  std::vector<int32_t> list = {0, 1, 2, 3, 4, 5};
  std::sort(list.begin(), list.end(), RelevanceOrder{*table});
  EXPECT_EQ(list, (std::vector<int32_t>{0, 5, 4, 1, 2, 3}));
  EXPECT_EQ(InitialCenters(graph, *table), (std::vector<int32_t>{0, 5}));
  const OClustRResult result = Cluster(graph);
  EXPECT_EQ(result.num_initial_centers, 2);
  EXPECT_EQ(result.centers, (std::vector<int32_t>{0}));
  EXPECT_EQ(result.linked, (std::vector<int32_t>{6}));
  EXPECT_EQ(Members(result, 0), (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(OClustRTest, ThreadsDoNotShow) {
  const CsrGraph graph = RandomNeighborhoodGraph(70000, 400000, 1);
  const OClustRResult one = Cluster(graph, 1);
  EXPECT_GT(one.num_initial_centers, one.cover.num_clusters());
  for (const int threads : {2, 3, 7}) {
    SCOPED_TRACE(testing::Message() << threads << " threads");
    ExpectSame(one, Cluster(graph, threads));
  }
  ExpectDefinition(graph, one);
}

// Dense enough for stages that read few rows.
TEST(OClustRTest, FewRowsDoNotShow) {
  const CsrGraph graph = OverlappingStarsGraph(150, 1000, 1);
  ASSERT_GT(graph.num_edges(), 64 * graph.num_vertices() / 2);
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph);
  ASSERT_TRUE(table.ok()) << table.status();
  const std::vector<int32_t> centers = InitialCenters(graph, *table);
  ASSERT_TRUE(FewRowsSuffice(*table, centers));
  const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
  const StarCover expected =
      MakeStarCover(SelectUsefulClusters(*table, centers, rows), rows);
  const OClustRResult result = Cluster(graph, 2);
  EXPECT_EQ(result.num_initial_centers, static_cast<int32_t>(centers.size()));
  EXPECT_EQ(result.cover, expected.cover);
  EXPECT_EQ(result.centers, expected.centers);
  EXPECT_EQ(result.linked_offsets, expected.linked_offsets);
  EXPECT_EQ(result.linked, expected.linked);
  ExpectDefinition(graph, result);
}

// Where degree, relevance and AIS tell all vertices apart, names do not matter.
TEST(OClustRTest, VertexOrderDoesNotShow) {
  int tried = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    const CsrGraph graph = RandomGraph(seed);
    const int32_t n = graph.num_vertices();
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph);
    ASSERT_TRUE(table.ok());
    std::set<std::pair<int32_t, std::pair<uint32_t, uint64_t>>> keys;
    int32_t connected = 0;
    for (int32_t v = 0; v < n; ++v) {
      if (table->degrees[v] == 0) continue;
      ++connected;
      keys.insert(
          {table->degrees[v], {table->counts[v], table->weight_sums[v]}});
    }
    if (connected < 5 || static_cast<int32_t>(keys.size()) < connected) {
      continue;
    }
    ++tried;
    std::mt19937 random(seed);
    std::vector<int32_t> renamed(n);
    for (int32_t v = 0; v < n; ++v) renamed[v] = v;
    std::shuffle(renamed.begin(), renamed.end(), random);
    std::vector<WeightedEdge> edges;
    for (int32_t v = 0; v < n; ++v) {
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        edges.push_back(
            {renamed[v], renamed[graph.neighbors[i]], graph.weights[i]});
      }
    }
    const auto clusters_of = [](const OClustRResult& result,
                                const std::vector<int32_t>* names) {
      std::map<int32_t, std::set<int32_t>> clusters;
      for (int32_t c = 0; c < result.cover.num_clusters(); ++c) {
        const auto name = [&](int32_t v) { return names ? (*names)[v] : v; };
        for (const int32_t v : result.cover.MembersOf(c)) {
          clusters[name(result.centers[c])].insert(name(v));
        }
      }
      return clusters;
    };
    EXPECT_EQ(clusters_of(Cluster(graph, 1), &renamed),
              clusters_of(Cluster(*BuildCsrGraph(n, edges), 1), nullptr))
        << "seed " << seed;
  }
  EXPECT_GT(tried, 50);
}

TEST(OClustRTest, ScaleOfWeightsDoesNotShow) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const CsrGraph graph = RandomGraph(seed);
    const OClustRResult expected = Cluster(graph, 1);
    // Powers of two change no comparison of averages.
    for (const int exponent : {-120, -20, -3, 3, 40, 126}) {
      CsrGraph scaled = graph;
      for (float& weight : scaled.weights) {
        weight = std::ldexp(weight, exponent);
      }
      ExpectSame(expected, Cluster(scaled, 1));
    }
  }
}

TEST(OClustRTest, RefusesWeightsThatAreNoSimilarities) {
  CsrGraph graph =
      *BuildCsrGraph(3, std::vector<WeightedEdge>{{0, 1, 0.5f}, {1, 2, 0.5f}});
  for (const float weight : {-0.5f, std::nanf(""), -std::nanf(""),
                             std::numeric_limits<float>::infinity()}) {
    graph.weights = {weight, weight, 0.5f, 0.5f};
    OClustROptions options;
    options.device = Device::kCpu;
    const absl::StatusOr<OClustRResult> result = OClustR(graph, options);
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(result.status().message(), "at least 0"));
  }
  graph.weights = {-0.0f, -0.0f, 0.0f, 0.0f};
  EXPECT_EQ(Cluster(graph).cover.num_clusters(), 1);
}

TEST(OClustRTest, RefusesArraysThatDoNotFit) {
  CsrGraph moved = *BuildCsrGraph(2, {{0, 1, 1.0f}});
  const CsrGraph good = std::move(moved);
  CsrGraph unweighted = good;
  unweighted.weights.clear();
  CsrGraph beyond = good;
  beyond.offsets.back() = 100000;
  for (const CsrGraph& graph : {moved, unweighted, beyond}) {
    const absl::Status status = OClustR(graph, OClustROptions()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_EQ(status, ValidateGraph(graph));
  }
}

TEST(OClustRTest, RefusesANegativeNumberOfThreads) {
  OClustROptions options;
  options.num_threads = -1;
  EXPECT_EQ(OClustR(CsrGraph(), options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(OClustRTest, CudaIsUnavailableOrTheSame) {
  const CsrGraph graph = RandomGraph(7);
  OClustROptions options;
  options.device = Device::kCuda;
  const absl::StatusOr<OClustRResult> result = OClustR(graph, options);
  if (!ResolveDevice(Device::kCuda).ok()) {
    EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable);
  } else {
    ASSERT_TRUE(result.ok()) << result.status();
    ExpectSame(Cluster(graph), *result);
  }
}

}  // namespace
}  // namespace warpclust
