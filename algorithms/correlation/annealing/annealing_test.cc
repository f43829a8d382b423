// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/annealing/annealing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/machine/cpu_features.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using internal::AnnealingEngine;

SignedGraph MakeGraph(uint64_t seed, int32_t n, int density,
                      int64_t largest_weight) {
  RandomSignedGraphOptions options;
  options.num_vertices = n;
  options.density = density;
  options.parallel = 10;
  options.max_weight = largest_weight;
  options.seed = seed;
  return RandomSignedGraph(options);
}

// The chain as annealing.h defines it; computes I(P) from scratch for every
// move.
void NaiveChain(const SignedGraph& graph, const AnnealingPlan& plan,
                AnnealingChain* chain) {
  Labels& labels = chain->labels;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    if (graph.Degree(v) == 0) labels[v] = -1 - v;  // alone
  }
  const std::vector<double> temperatures = internal::Temperatures(*chain);
  int32_t next_label = graph.num_vertices();
  chain->change = 0;
  for (int32_t s = 0; s < chain->num_sweeps; ++s) {
    const uint64_t key = internal::SweepKey(chain->key, s);
    for (int32_t p = 0; p < plan.num_positions(); ++p) {
      const int32_t v = plan.vertices[p];
      const uint64_t random = internal::VisitRandom(key, p);
      // The positive neighbors in order of position.
      std::map<int32_t, int32_t> positive;
      for (int32_t q = 0; q < plan.num_positions(); ++q) {
        const auto row = graph.NeighborsOf(v);
        const auto it = std::find(row.begin(), row.end(), plan.vertices[q]);
        if (it != row.end() && graph.WeightsOf(v)[it - row.begin()] > 0) {
          positive.emplace(q, plan.vertices[q]);
        }
      }
      const auto count = static_cast<int32_t>(positive.size());
      const int32_t drawn = internal::DrawnNeighbor(random, count);
      int32_t target = next_label;
      if (drawn < count)
        target = labels[std::next(positive.begin(), drawn)->second];
      if (target == labels[v]) continue;
      Labels moved = labels;
      moved[v] = target;
      const int64_t delta = Imbalance(graph, moved) - Imbalance(graph, labels);
      const double noise = internal::NoiseTable()[internal::NoiseIndex(random)];
      if (delta > 0 && delta > internal::Threshold(temperatures[s], noise)) {
        continue;
      }
      if (drawn == count) ++next_label;
      labels = moved;
      chain->change += delta;
    }
  }
  std::map<int32_t, int32_t> names;
  for (int32_t& label : labels) {
    label =
        names.emplace(label, static_cast<int32_t>(names.size())).first->second;
  }
}

AnnealingChain MakeChain(const SignedGraph& graph, uint64_t seed,
                         int32_t sweeps, double hot, double cold) {
  AnnealingChain chain;
  chain.key = internal::MixBits(seed);
  chain.num_sweeps = sweeps;
  chain.first_temperature = hot;
  chain.last_temperature = cold;
  Random random(seed);
  const int32_t n = graph.num_vertices();
  const bool single = random.Below(2) == 0;
  for (int32_t v = 0; v < n; ++v) {
    chain.labels.push_back(single ? v : static_cast<int32_t>(random.Below(n)));
  }
  return chain;
}

TEST(AnnealingPlanTest, ClassesHaveNoEdgesInside) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const SignedGraph graph = MakeGraph(seed, 40, 30, 5);
    const AnnealingPlan plan = MakeAnnealingPlan(graph);
    ASSERT_EQ(plan.class_offsets.back(), plan.num_positions());
    int64_t entries = 0;
    for (size_t c = 0; c + 1 < plan.class_offsets.size(); ++c) {
      for (int32_t p = plan.class_offsets[c]; p < plan.class_offsets[c + 1];
           ++p) {
        for (int64_t i = plan.offsets[p]; i < plan.offsets[p + 1]; ++i) {
          const int32_t q = plan.neighbors[i];
          EXPECT_TRUE(q < plan.class_offsets[c] ||
                      q >= plan.class_offsets[c + 1]);
          EXPECT_EQ(plan.weights[i] > 0,
                    i - plan.offsets[p] < plan.num_positive[p]);
          ++entries;
        }
      }
    }
    EXPECT_EQ(entries, static_cast<int64_t>(graph.neighbors.size()));
  }
}

TEST(AnnealingPlanTest, ThreadsDoNotShowAndAStopLeavesNoPositions) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const SignedGraph graph = MakeGraph(seed, 400, 60, 5);
    const AnnealingPlan one = MakeAnnealingPlan(graph);
    const AnnealingPlan many = MakeAnnealingPlan(graph, {nullptr, 4});
    EXPECT_EQ(many.vertices, one.vertices);
    EXPECT_EQ(many.class_offsets, one.class_offsets);
    EXPECT_EQ(many.offsets, one.offsets);
    EXPECT_EQ(many.num_positive, one.num_positive);
    EXPECT_EQ(many.neighbors, one.neighbors);
    EXPECT_EQ(many.weights, one.weights);
    SearchControl stopped;
    stopped.RequestStop();
    EXPECT_EQ(MakeAnnealingPlan(graph, {&stopped, 1}).num_positions(), 0);
  }
}

TEST(AnnealingScheduleTest, LogarithmsAreThoseOfTheLibraryNearly) {
  const auto& noise = internal::NoiseTable();
  for (int i = 0; i < internal::kNumNoise; ++i) {
    EXPECT_NEAR(noise[i], -std::log((i + 0.5) / internal::kNumNoise), 1e-13);
  }
  AnnealingChain chain;
  chain.num_sweeps = 11;
  chain.first_temperature = 1000;
  chain.last_temperature = 0.001;
  const std::vector<double> temperatures = internal::Temperatures(chain);
  ASSERT_EQ(temperatures.size(), 11u);
  for (int s = 0; s <= 10; ++s) {
    const double expected = 1000 * std::pow(1e-6, s / 10.0);
    EXPECT_NEAR(temperatures[s] / expected, 1, 1e-12);
  }
}

// The graphs of a case.
struct Case {
  int32_t n;
  int density;  // in percent
  int64_t largest_weight;
};

class AnnealingChainTest : public testing::TestWithParam<Case> {};

TEST_P(AnnealingChainTest, EveryEngineMakesTheMovesOfTheNaiveChain) {
  const auto [n, density, largest] = GetParam();
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const SignedGraph graph = MakeGraph(seed, n, density, largest);
    const AnnealingPlan plan = MakeAnnealingPlan(graph);
    const double hot = static_cast<double>(largest) * 2;
    AnnealingChain expected = MakeChain(graph, seed, 12, hot, hot / 50);
    const AnnealingChain start = expected;
    // Isolated vertices are alone at the end.
    NaiveChain(graph, plan, &expected);
    for (AnnealingEngine engine :
         {AnnealingEngine::kRows, AnnealingEngine::kTable}) {
      for (SimdLevel level :
           {SimdLevel::kBaseline, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
        SetSimdLevelLimitForTesting(level);
        for (int threads : {1, 2}) {
          std::vector<AnnealingChain> chains = {start, start};
          chains[1].key += 1;
          SearchControl control;
          internal::RunAnnealingChainsCpu(plan, engine, threads, control,
                                          absl::MakeSpan(chains));
          EXPECT_TRUE(chains[0].finished);
          EXPECT_EQ(chains[0].labels, expected.labels);
          EXPECT_EQ(chains[0].change, expected.change);
          EXPECT_EQ(Imbalance(graph, chains[0].labels) -
                        Imbalance(graph, start.labels),
                    chains[0].change);
        }
      }
    }
    SetSimdLevelLimitForTesting(SimdLevel::kAvx512);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AnnealingChainTest,
                         testing::Values(Case{2, 100, 1}, Case{5, 90, 3},
                                         Case{17, 50, 1}, Case{20, 20, 10},
                                         Case{31, 10, 1}, Case{33, 80, 1},
                                         Case{70, 30, 1}, Case{33, 80, 1000},
                                         Case{24, 60, int64_t{1} << 20},
                                         Case{24, 60, int64_t{1} << 27},
                                         Case{24, 60, int64_t{1} << 40}));

TEST(AnnealingChainTest, LabelsThatRunOutAreRenumbered) {
  const SignedGraph graph = MakeGraph(2, 40, 20, 3);
  const AnnealingPlan plan = MakeAnnealingPlan(graph);
  const uint64_t all = uint64_t{1} << 32;
  AnnealingChain expected = MakeChain(graph, 2, 30, 4, 0.5);
  const AnnealingChain start = expected;
  SearchControl control;
  internal::RunChainByRows(plan, /*num_threads=*/1, control, 40, &expected);
  // The labels suffice for no, one, two, ... sweeps.
  for (uint64_t left = 0; left < 200; left += 7) {
    AnnealingChain chain = start;
    internal::RunChainByRows(plan, /*num_threads=*/1, control, all - left,
                             &chain);
    EXPECT_EQ(chain.labels, expected.labels) << left;
    EXPECT_EQ(chain.change, expected.change) << left;
  }
}

// Many positions: classes that threads share, and classes that they do not.
SignedGraph LargeGraph() {
  constexpr int32_t kVertices = 40000;
  Random random(1);
  std::vector<SignedEdge> edges;
  for (int32_t v = 1; v < kVertices; ++v) {
    for (int i = 0; i < 3; ++i) {
      const int32_t u = static_cast<int32_t>(random.Below(v));
      edges.push_back({u, v, (u + v) % 4 == 0 ? -1 : 1});
    }
  }
  return *BuildSignedGraph(kVertices, edges);
}

TEST(AnnealingChainTest, ThreadsShareAChain) {
  const SignedGraph graph = LargeGraph();
  const AnnealingPlan plan = MakeAnnealingPlan(graph);
  ASSERT_GT(plan.class_offsets[1], 10000);
  ASSERT_LT(plan.num_positions() - plan.class_offsets.end()[-2], 1000);
  ASSERT_LT(internal::RelativeTimeByRows(plan, 8), 0.5);
  ASSERT_GT(internal::RelativeTimeByRows(plan, 8), 1.0 / 8);
  const std::vector<AnnealingChain> start = {MakeChain(graph, 1, 8, 2, 0.5),
                                             MakeChain(graph, 2, 8, 3, 0.3)};
  SearchControl control;
  std::vector<AnnealingChain> expected = start;
  internal::RunAnnealingChainsCpu(plan, AnnealingEngine::kRows, 1, control,
                                  absl::MakeSpan(expected));
  for (const int threads : {2, 3, 8}) {
    std::vector<AnnealingChain> chains = start;
    internal::RunAnnealingChainsCpu(plan, AnnealingEngine::kRows, threads,
                                    control, absl::MakeSpan(chains));
    AnnealingChain shared = start[0];
    internal::RunChainByRows(plan, threads, control, graph.num_vertices(),
                             &shared);
    chains.push_back(shared);
    for (size_t i = 0; i < chains.size(); ++i) {
      EXPECT_TRUE(chains[i].finished);
      EXPECT_NE(chains[i].change, 0);
      EXPECT_EQ(chains[i].change, expected[i % 2].change) << threads;
      EXPECT_EQ(chains[i].labels, expected[i % 2].labels) << threads;
    }
  }
  control.RequestStop();
  std::vector<AnnealingChain> chains = {start[0]};
  internal::RunAnnealingChainsCpu(plan, AnnealingEngine::kRows, 2, control,
                                  absl::MakeSpan(chains));
  EXPECT_FALSE(chains[0].finished);
  EXPECT_EQ(Imbalance(graph, chains[0].labels),
            Imbalance(graph, start[0].labels) + chains[0].change);
}

TEST(AnnealingChainTest, AStopEndsASweepOnAnyNumberOfThreads) {
  const SignedGraph graph = LargeGraph();
  const AnnealingPlan plan = MakeAnnealingPlan(graph);
  AnnealingChain all = MakeChain(graph, 1, 1, 2, 0.5);
  const AnnealingChain start = all;
  SearchControl no_limit;
  internal::RunChainByRows(plan, 1, no_limit, graph.num_vertices(), &all);
  ASSERT_TRUE(all.finished);
  for (const int threads : {1, 2, 3, 8}) {
    SCOPED_TRACE(threads);
    // The time is up when it is asked for the first time.
    SearchControl control(/*seconds=*/1, [] { return 2.0; });
    AnnealingChain chain = start;
    internal::RunChainByRows(plan, threads, control, graph.num_vertices(),
                             &chain);
    EXPECT_FALSE(chain.finished);
    EXPECT_NE(chain.labels, all.labels);
    EXPECT_EQ(Imbalance(graph, chain.labels),
              Imbalance(graph, start.labels) + chain.change);
  }
}

TEST(AnnealingChainTest, NoVerticesNoEdgesNoSweeps) {
  for (int32_t n : {0, 1, 3}) {
    const SignedGraph graph = MakeGraph(1, n, 0, 1);
    const AnnealingPlan plan = MakeAnnealingPlan(graph);
    std::vector<AnnealingChain> chains = {MakeChain(graph, 1, 5, 1, 0.1)};
    SearchControl control;
    internal::RunAnnealingChainsCpu(plan, AnnealingEngine::kAuto, 1, control,
                                    absl::MakeSpan(chains));
    EXPECT_EQ(chains[0].labels.size(), static_cast<size_t>(n));
    EXPECT_EQ(chains[0].change, 0);
  }
}

TEST(AnnealingChainTest, AStoppedChainKeepsAPartition) {
  const SignedGraph graph = MakeGraph(3, 200, 20, 1);
  const AnnealingPlan plan = MakeAnnealingPlan(graph);
  for (AnnealingEngine engine :
       {AnnealingEngine::kRows, AnnealingEngine::kTable}) {
    std::vector<AnnealingChain> chains = {MakeChain(graph, 1, 1000000, 2, 0.1)};
    const int64_t before = Imbalance(graph, chains[0].labels);
    SearchControl control;
    control.RequestStop();
    internal::RunAnnealingChainsCpu(plan, engine, 1, control,
                                    absl::MakeSpan(chains));
    EXPECT_FALSE(chains[0].finished);
    EXPECT_EQ(Imbalance(graph, chains[0].labels), before + chains[0].change);
  }
}

}  // namespace
}  // namespace warpclust
