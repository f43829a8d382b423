// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/covering.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "graph/testing/random_star_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

RelevanceTable TableOf(const CsrGraph& graph) {
  absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
  EXPECT_TRUE(table.ok()) << table.status();
  return table.ok() ? *std::move(table) : RelevanceTable();
}

// The paper's walk, and what the two phases of InitialCentersFromRows would
// cost at the best end of it: entries of walked vertices that are no centers,
// and of vertices that are not covered yet.
struct PaperWalk {
  std::vector<int32_t> centers;
  int64_t least_cost = 0;
};

PaperWalk WalkAsInThePaper(const CsrGraph& graph, const RelevanceTable& table) {
  std::set<int32_t> centers, uncovered;
  std::vector<int32_t> list;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    (graph.Degree(v) == 0 ? centers : uncovered).insert(v);
    if (table.counts[v] > 0) list.push_back(v);
  }
  std::sort(list.begin(), list.end(), RelevanceOrder{table});
  PaperWalk walk;
  int64_t not_taken = 0;
  const auto cost = [&] {
    int64_t sum = not_taken;
    for (const int32_t x : uncovered) sum += graph.Degree(x);
    return sum;
  };
  walk.least_cost = cost();
  for (const int32_t v : list) {
    size_t num_new = uncovered.erase(v);
    for (const int32_t u : graph.NeighborsOf(v)) num_new += uncovered.erase(u);
    if (num_new > 0) {
      centers.insert(v);
    } else {
      not_taken += graph.Degree(v);
    }
    walk.least_cost = std::min(walk.least_cost, cost());
  }
  walk.centers.assign(centers.begin(), centers.end());
  return walk;
}

// Runs InitialCentersFromRows with rows that last as long as promised.
struct RowsWalk {
  std::vector<int32_t> centers;
  std::set<int32_t> asked;
  int64_t entries_read = 7;
};

RowsWalk WalkRows(const CsrGraph& graph, const RelevanceTable& table) {
  RowsWalk walk;
  std::vector<int32_t> row;
  int64_t entries = 7;
  walk.centers = InitialCentersFromRows(
      table,
      [&](int32_t v) {
        EXPECT_TRUE(walk.asked.insert(v).second) << v << " asked for twice";
        std::fill(row.begin(), row.end(), -1);
        row.assign(graph.NeighborsOf(v).begin(), graph.NeighborsOf(v).end());
        entries += graph.Degree(v);
        return absl::MakeConstSpan(row);
      },
      &walk.entries_read);
  EXPECT_EQ(walk.entries_read, entries);
  walk.entries_read -= 7;
  return walk;
}

TEST(CoveringTest, AllWaysGiveThePapersCenters) {
  int64_t entries = 0, read = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const CsrGraph graph = RandomGraph(seed);
    const RelevanceTable table = TableOf(graph);
    const PaperWalk expected = WalkAsInThePaper(graph, table);
    ASSERT_EQ(InitialCenters(graph, table, 1 + seed % 3), expected.centers);
    const RowsWalk walk = WalkRows(graph, table);
    ASSERT_EQ(walk.centers, expected.centers);

    // No more than covering.cc says.
    int64_t beside_centers = 0, largest = 0;
    for (const int32_t v : walk.asked) {
      const bool is_center = std::binary_search(expected.centers.begin(),
                                                expected.centers.end(), v);
      if (!is_center) beside_centers += graph.Degree(v);
      largest = std::max(largest, graph.Degree(v));
    }
    EXPECT_LE(beside_centers, 2 * expected.least_cost + largest);
    entries += 2 * graph.num_edges();
    read += walk.entries_read;
  }
  EXPECT_LT(read, entries);
}

TEST(CoveringTest, RelevanceKeysAreFloors) {
  std::mt19937_64 random(1);
  const auto expect_floor = [](uint32_t count, int32_t degree) {
    EXPECT_EQ(RelevanceKey(count, degree),
              static_cast<uint64_t>(
                  (static_cast<unsigned __int128>(count) << 62) / degree))
        << count << " of " << degree;
  };
  for (const int32_t degree : {1, 2, 3, 1 << 30, INT32_MAX}) {
    for (const int32_t below : {0, 1}) {
      expect_floor(2u * degree - below, degree);
      expect_floor(below, degree);
    }
  }
  for (int i = 0; i < 100000; ++i) {
    const int32_t degree =
        1 + static_cast<int32_t>((random() % INT32_MAX) >> (random() % 31));
    expect_floor(random() % (2u * degree + 1), degree);
  }
}

TEST(CoveringTest, RowsOfLargerGraphs) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const int32_t n = 500 + 200 * static_cast<int32_t>(seed);
    const CsrGraph graph = RandomNeighborhoodGraph(n, n * (1 + seed), seed);
    const RelevanceTable table = TableOf(graph);
    ASSERT_EQ(WalkRows(graph, table).centers, InitialCenters(graph, table));
  }
  const CsrGraph graph = OverlappingStarsGraph(150, 1000, 1);
  const RelevanceTable table = TableOf(graph);
  ASSERT_EQ(WalkRows(graph, table).centers, InitialCenters(graph, table, 3));
}

TEST(CoveringTest, OneRowOfAStar) {
  std::vector<WeightedEdge> edges;
  for (int32_t v = 1; v < 100; ++v) edges.push_back({0, v, 0.5f});
  const CsrGraph graph = *BuildCsrGraph(101, edges);
  const RowsWalk walk = WalkRows(graph, TableOf(graph));
  EXPECT_EQ(walk.centers, (std::vector<int32_t>{0, 100}));
  EXPECT_EQ(walk.asked, std::set<int32_t>{0});
}

TEST(CoveringTest, NothingToRead) {
  const CsrGraph empty;
  EXPECT_TRUE(WalkRows(empty, TableOf(empty)).centers.empty());
  const CsrGraph isolated = *BuildCsrGraph(3, std::vector<WeightedEdge>());
  const RowsWalk walk = WalkRows(isolated, TableOf(isolated));
  EXPECT_EQ(walk.centers, (std::vector<int32_t>{0, 1, 2}));
  EXPECT_TRUE(walk.asked.empty());
  // Without a count of entries.
  EXPECT_EQ(InitialCentersFromRows(
                TableOf(isolated),
                [](int32_t) { return absl::Span<const int32_t>(); }),
            walk.centers);
}

}  // namespace
}  // namespace warpclust
