// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/useful_clusters.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/useful_clusters_from_rows.h"
#include "graph/testing/random_star_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The paper's loop with sets: every count is taken afresh.
UsefulClusters SelectAsInThePaper(const CsrGraph& graph,
                                  const RelevanceTable& table,
                                  std::vector<int32_t> centers) {
  const auto star = [&](int32_t v) {
    std::set<int32_t> members = {v};
    members.insert(graph.NeighborsOf(v).begin(), graph.NeighborsOf(v).end());
    return members;
  };
  std::sort(centers.begin(), centers.end(), DegreeOrder{table});
  std::vector<int32_t> present = centers;
  UsefulClusters result;
  for (size_t i = 0; i < centers.size(); ++i) {
    const int32_t v = centers[i];
    if (std::count(present.begin(), present.end(), v) == 0) continue;
    std::set<int32_t> linked;
    for (size_t j = i + 1; j < centers.size(); ++j) {
      const int32_t u = centers[j];
      const auto place = std::find(present.begin(), present.end(), u);
      if (place == present.end() || star(v).count(u) == 0) continue;
      std::set<int32_t> alone = star(u);
      for (const int32_t other : present) {
        if (other == u) continue;
        for (const int32_t x : star(other)) alone.erase(x);
      }
      if (star(u).size() - alone.size() <= alone.size()) continue;
      present.erase(place);
      linked.insert(alone.begin(), alone.end());
    }
    result.centers.push_back(v);
    result.linked.insert(result.linked.end(), linked.begin(), linked.end());
    result.linked_offsets.push_back(static_cast<int64_t>(result.linked.size()));
  }
  return result;
}

void ExpectAsInThePaper(const CsrGraph& graph,
                        const std::vector<int32_t>& centers, int num_threads) {
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
  ASSERT_TRUE(table.ok()) << table.status();
  const UsefulClusters expected = SelectAsInThePaper(graph, *table, centers);
  const UsefulClusters actual = SelectUsefulClusters(
      *table, centers, [&](int32_t v) { return graph.NeighborsOf(v); },
      num_threads);
  EXPECT_EQ(actual.centers, expected.centers);
  EXPECT_EQ(actual.linked_offsets, expected.linked_offsets);
  EXPECT_EQ(actual.linked, expected.linked);

  // Rows last as long as promised.
  std::vector<int32_t> row;
  int64_t entries = 7, entries_read = 7;
  const UsefulClusters late = SelectUsefulClustersFromRows(
      *table, centers,
      [&](int32_t v) {
        std::fill(row.begin(), row.end(), -1);
        row.assign(graph.NeighborsOf(v).begin(), graph.NeighborsOf(v).end());
        entries += graph.Degree(v);
        return absl::MakeConstSpan(row);
      },
      &entries_read);
  EXPECT_EQ(late.centers, expected.centers);
  EXPECT_EQ(late.linked_offsets, expected.linked_offsets);
  EXPECT_EQ(late.linked, expected.linked);
  EXPECT_EQ(entries_read, entries);
}

TEST(UsefulClustersTest, InitialCentersOfRandomGraphs) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const CsrGraph graph = RandomGraph(seed);
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
    ASSERT_TRUE(table.ok()) << table.status();
    ExpectAsInThePaper(graph, InitialCenters(graph, *table, 1), 1);
  }
}

// As DClustR has them: any set of centers that covers the graph, in any order.
TEST(UsefulClustersTest, AnyCoveringCenters) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const CsrGraph graph = RandomGraph(seed);
    const int32_t n = graph.num_vertices();
    const uint32_t percent = 10 + seed % 91;
    std::vector<bool> is_center(n), is_covered(n);
    const auto take = [&](int32_t v) {
      is_center[v] = is_covered[v] = true;
      for (const int32_t u : graph.NeighborsOf(v)) is_covered[u] = true;
    };
    for (int32_t v = 0; v < n; ++v) {
      if (random() % 100 < percent) take(v);
    }
    std::vector<int32_t> centers;
    for (int32_t v = 0; v < n; ++v) {
      if (!is_covered[v]) take(v);
    }
    for (int32_t v = 0; v < n; ++v) {
      if (is_center[v]) centers.push_back(v);
    }
    std::shuffle(centers.begin(), centers.end(), random);
    ExpectAsInThePaper(graph, centers, 1);
  }
}

TEST(UsefulClustersTest, ThreadsDoNotShow) {
  // Short rows, which are counted on one thread, and long ones.
  for (const CsrGraph& graph : {RandomNeighborhoodGraph(100000, 400000, 5),
                                OverlappingStarsGraph(20, 70000, 1)}) {
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
    ASSERT_TRUE(table.ok()) << table.status();
    const std::vector<int32_t> centers = InitialCenters(graph, *table, 1);
    const auto select = [&](int num_threads) {
      return SelectUsefulClusters(
          *table, centers, [&](int32_t v) { return graph.NeighborsOf(v); },
          num_threads);
    };
    const UsefulClusters one = select(1);
    const UsefulClusters many = select(5);
    EXPECT_LT(one.centers.size(), centers.size());
    EXPECT_FALSE(one.linked.empty());
    EXPECT_EQ(one.centers, many.centers);
    EXPECT_EQ(one.linked_offsets, many.linked_offsets);
    EXPECT_EQ(one.linked, many.linked);
  }
}

// Large enough for stars that are never read.
TEST(UsefulClustersTest, FewRowsOfLargerGraphs) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const int32_t size = 300 + 400 * static_cast<int32_t>(seed % 10);
    const CsrGraph graph =
        seed % 4 == 0 ? OverlappingStarsGraph(size / 10, size, seed)
                      : RandomNeighborhoodGraph(
                            size, int64_t{size} * (1 + 2 * seed), seed);
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
    ASSERT_TRUE(table.ok()) << table.status();
    const std::vector<int32_t> centers = InitialCenters(graph, *table, 1);
    const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
    const UsefulClusters expected =
        SelectUsefulClusters(*table, centers, rows, 1);
    const UsefulClusters late =
        SelectUsefulClustersFromRows(*table, centers, rows);
    ASSERT_EQ(late.centers, expected.centers);
    ASSERT_EQ(late.linked_offsets, expected.linked_offsets);
    ASSERT_EQ(late.linked, expected.linked);
  }
}

// A reader that fails gives empty rows from then on. The result is unused, but
// nothing may break.
TEST(UsefulClustersTest, RowsThatFail) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const CsrGraph graph =
        seed < 290   ? RandomGraph(seed)
        : seed < 295 ? RandomNeighborhoodGraph(500, 2000 * (seed - 280), seed)
                     : OverlappingStarsGraph(60, 500, seed);
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
    ASSERT_TRUE(table.ok()) << table.status();
    const std::vector<int32_t> centers = InitialCenters(graph, *table, 1);
    int64_t num_reads = 0;
    SelectUsefulClustersFromRows(*table, centers, [&](int32_t v) {
      ++num_reads;
      return graph.NeighborsOf(v);
    });
    for (int64_t good = 0; good < num_reads; good += 1 + num_reads / 40) {
      int64_t reads = 0;
      std::vector<bool> is_here(graph.num_vertices());
      const UsefulClusters useful =
          SelectUsefulClustersFromRows(*table, centers, [&](int32_t v) {
            if (reads++ < good) is_here[v] = true;
            return is_here[v] ? graph.NeighborsOf(v)
                              : absl::Span<const int32_t>();
          });
      EXPECT_LE(useful.centers.size(), centers.size());
    }
  }
}

// A hub that all large stars touch: they go unread.
TEST(UsefulClustersTest, LargeStarsStayUnread) {
  // Vertices 0 to 199 are a clique, each with a leaf of its own in a triangle
  // of two; all of the clique are centers beside one another.
  std::vector<WeightedEdge> edges;
  for (int32_t v = 0; v < 200; ++v) {
    for (int32_t u = 0; u < v; ++u) edges.push_back({u, v, 0.5f});
    edges.push_back({v, 200 + 2 * v, 0.5f});
    edges.push_back({v, 201 + 2 * v, 0.5f});
    edges.push_back({200 + 2 * v, 201 + 2 * v, 0.5f});
  }
  const CsrGraph graph = *BuildCsrGraph(600, edges);
  std::vector<int32_t> centers;
  for (int32_t v = 0; v < 200; ++v) centers.push_back(v);
  for (int32_t v = 0; v < 200; ++v) centers.push_back(200 + 2 * v);
  ExpectAsInThePaper(graph, centers, 1);
  const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
  ASSERT_TRUE(table.ok()) << table.status();
  int64_t entries_read = 0;
  const UsefulClusters late = SelectUsefulClustersFromRows(
      *table, centers, [&](int32_t v) { return graph.NeighborsOf(v); },
      &entries_read);
  EXPECT_EQ(late.centers.size(), 200u);
  EXPECT_LT(entries_read, graph.num_edges() / 10);
}

}  // namespace
}  // namespace warpclust
