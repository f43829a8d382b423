// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/candidate_rules.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/dclustr/testing/dclustr_oracle.h"
#include "algorithms/dclustr/testing/random_changes.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/covering.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "graph/stars/useful_clusters.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Centers = std::vector<int32_t>;

// A graph with what the rules are told of it.
struct Local {
  explicit Local(const NaiveGraph& naive)
      : graph(LocalGraph(naive, &numbers)), table(*RelevancesCpu(graph, 1)) {}

  int32_t NumberOf(int32_t local) const { return numbers[local]; }
  Centers ToLocal(const std::set<int32_t>& vertices) const {
    Centers local;
    for (const int32_t v : vertices) {
      local.push_back(static_cast<int32_t>(
          std::lower_bound(numbers.begin(), numbers.end(), v) -
          numbers.begin()));
    }
    return local;
  }
  Centers Updated(const Centers& old_centers, int num_threads = 1) const {
    const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
    return UpdatedCenters(table, old_centers, rows, num_threads);
  }

  std::vector<int32_t> numbers;
  CsrGraph graph;
  RelevanceTable table;
};

// A graph with some history, of a size and shape that the seed picks.
NaiveGraph RandomNaiveGraph(uint32_t seed) {
  RandomChanges changes(seed);
  NaiveGraph graph;
  for (uint32_t i = 0; i < 1 + seed % 7; ++i) {
    graph = Changed(std::move(graph), changes.Next(graph));
  }
  return graph;
}

TEST(CandidateRulesTest, EqualThePaperFromAnyOldCenters) {
  int stayed = 0, left = 0, not_initial = 0, spared = 0;
  for (uint32_t seed = 0; seed < 6000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const NaiveGraph naive = RandomNaiveGraph(seed);
    const Local local(naive);
    const std::set<int32_t> initial = NaiveInitialCenters(naive);
    std::mt19937 random(seed);
    // Percent of the vertices that are centers, of the initial centers that
    // are not any more.
    for (const auto& [percent, percent_lost] :
         {std::pair(0, 0), std::pair(100, 0), std::pair(40, 100),
          std::pair(0, 20), std::pair(5, 10), std::pair(10, 60)}) {
      std::set<int32_t> old_centers;
      for (const auto& [v, row] : naive) {
        const bool is_kept = initial.count(v) &&
                             static_cast<int>(random() % 100) >= percent_lost;
        if (is_kept || static_cast<int>(random() % 100) < percent) {
          old_centers.insert(v);
        }
      }
      const std::set<int32_t> expected =
          NaiveUpdatedCenters(naive, old_centers);
      ASSERT_EQ(local.Updated(local.ToLocal(old_centers), 1 + seed % 3),
                local.ToLocal(expected))
          << percent << " " << percent_lost;
      for (const int32_t v : old_centers) ++(expected.count(v) ? stayed : left);
      for (const int32_t v : expected) not_initial += !initial.count(v);
      for (const int32_t v : initial) spared += !expected.count(v);
    }
  }
  // The cases reach what they are for, ties too.
  EXPECT_GT(stayed, 1000);
  EXPECT_GT(left, 1000);
  EXPECT_GT(not_initial, 100);
  EXPECT_GT(spared, 100);
}

TEST(CandidateRulesTest, WithoutOldCentersAreTheInitialOnes) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Local local(RandomNaiveGraph(seed));
    EXPECT_EQ(local.Updated({}), InitialCenters(local.graph, local.table, 1));
  }
}

// As the engine uses them: update after update, on the affected components
// only, then stage 3.
TEST(CandidateRulesTest, HistoriesEqualTheOracle) {
  int updates = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    RandomChanges changes(seed);
    NaiveDClustR oracle;
    std::vector<NaiveStar> stars;
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " step " << step);
      oracle.Update(changes.Next(oracle.graph()));
      const Local local(InducedGraph(oracle.graph(), oracle.affected()));

      std::set<int32_t> old_centers;
      std::vector<NaiveStar> next;
      for (const NaiveStar& star : stars) {
        if (oracle.affected().count(star.center)) {
          old_centers.insert(star.center);
        } else if (oracle.graph().count(star.center)) {
          next.push_back(star);
        }
      }
      const UsefulClusters useful = SelectUsefulClusters(
          local.table, local.Updated(local.ToLocal(old_centers)),
          [&](int32_t v) { return local.graph.NeighborsOf(v); }, 1);
      for (size_t i = 0; i < useful.centers.size(); ++i) {
        NaiveStar star;
        star.center = local.NumberOf(useful.centers[i]);
        for (int64_t k = useful.linked_offsets[i];
             k < useful.linked_offsets[i + 1]; ++k) {
          star.linked.insert(local.NumberOf(useful.linked[k]));
        }
        next.push_back(star);
      }
      std::sort(next.begin(), next.end(),
                [](const NaiveStar& a, const NaiveStar& b) {
                  return a.center < b.center;
                });
      stars = std::move(next);
      ASSERT_TRUE(stars == oracle.stars());
      ++updates;
    }
  }
  EXPECT_EQ(updates, 4800);
}

TEST(CandidateRulesTest, ManyThreadsGiveTheSame) {
  // Large enough for the threads to be used.
  std::mt19937 random(7);
  const int32_t n = 20000;
  std::vector<WeightedEdge> edges;
  for (int32_t v = 1; v < n; ++v) {
    for (int k = 0; k < 3; ++k) {
      edges.push_back({v, static_cast<int32_t>(random() % v), 0.5f});
    }
  }
  const CsrGraph graph = *BuildCsrGraph(n, edges);
  const RelevanceTable table = *RelevancesCpu(graph);
  const auto rows = [&](int32_t v) { return graph.NeighborsOf(v); };
  Centers old_centers;
  for (int32_t v = 0; v < n; ++v) {
    if (random() % 10 == 0) old_centers.push_back(v);
  }
  const Centers one = UpdatedCenters(table, old_centers, rows, 1);
  EXPECT_EQ(UpdatedCenters(table, old_centers, rows, 4), one);
  EXPECT_EQ(UpdatedCenters(table, old_centers, rows), one);
}

}  // namespace
}  // namespace warpclust
