// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/cycle_packing.h"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The definition: the signs, the weights and the sum.
void ExpectPacking(const SignedGraph& graph, const CyclePacking& packing) {
  std::map<std::pair<int32_t, int32_t>, int64_t> weight;
  for (int32_t u = 0; u < graph.num_vertices(); ++u) {
    for (int64_t i = 0; i < graph.Degree(u); ++i) {
      weight[{u, graph.NeighborsOf(u)[i]}] = graph.WeightsOf(u)[i];
    }
  }
  std::map<std::pair<int32_t, int32_t>, int64_t> packed;
  int64_t parts = 0;
  ASSERT_EQ(packing.offsets.size(), packing.weights.size() + 1);
  for (size_t c = 0; c < packing.weights.size(); ++c) {
    const int64_t begin = packing.offsets[c];
    const int64_t size = packing.offsets[c + 1] - begin;
    ASSERT_GE(size, 3);
    EXPECT_GT(packing.weights[c], 0);
    parts += packing.weights[c];
    for (int64_t i = 0; i < size; ++i) {
      const int32_t u = packing.vertices[begin + i];
      const int32_t v = packing.vertices[begin + (i + 1) % size];
      EXPECT_EQ((weight[{u, v}] < 0), i == 0);
      packed[{u, v}] += packing.weights[c];
      packed[{v, u}] += packing.weights[c];
    }
  }
  for (const auto& [pair, sum] : packed) {
    EXPECT_LE(sum, std::abs(weight[pair]) * packing.parts);
  }
  EXPECT_EQ(packing.bound,
            graph.constant_cost + (parts + packing.parts - 1) / packing.parts);
}

TEST(CyclePackingTest, IsAPackingAndAtMostTheOptimum) {
  Random random(1);
  int64_t bounds = 0;
  int64_t optima = 0;
  CyclePackingOptions few;
  few.max_exchanges = 2000;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 1 + static_cast<int32_t>(seed % 8);
    options.parallel = 20;
    options.max_weight = seed % 2 == 0 ? 1 : 9;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Labels labels(options.num_vertices, 0);
    if (seed % 3 > 0) {
      for (int32_t& label : labels) {
        label = static_cast<int32_t>(random.Below(3));
      }
    }
    const auto packing = PackConflictedCycles(graph, labels, few);
    ASSERT_TRUE(packing.ok()) << packing.status();
    ExpectPacking(graph, *packing);
    const int64_t optimum = LeastImbalance(graph);
    EXPECT_LE(packing->bound, optimum);
    bounds += packing->bound;
    optima += optimum;
  }
  // Not far below, for any labels.
  EXPECT_GT(bounds * 2, optima);
}

TEST(CyclePackingTest, LargerGraphsFromAnyLabels) {
  Random random(2);
  CyclePackingOptions few;
  few.max_exchanges = 2000;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 60;
    options.max_weight = 1 + static_cast<int64_t>(seed % 5);
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Labels labels(options.num_vertices);
    for (int32_t& label : labels) {
      label = static_cast<int32_t>(random.Below(1 + seed % 4));
    }
    const auto packing = PackConflictedCycles(graph, labels, few);
    ASSERT_TRUE(packing.ok()) << packing.status();
    ExpectPacking(graph, *packing);
    EXPECT_LE(packing->bound, Imbalance(graph, labels));
    const auto again = PackConflictedCycles(graph, labels, few);
    EXPECT_EQ(again->vertices, packing->vertices);
  }
}

TEST(CyclePackingTest, DenseGraphsTakeFractionsOfAllCycles) {
  RandomSignedGraphOptions options;
  options.num_vertices = 60;
  options.density = 50;
  options.negative = 50;
  const SignedGraph graph = RandomSignedGraph(options);
  Labels labels(60);
  for (int32_t v = 0; v < 60; ++v) labels[v] = v % 6;
  CyclePackingOptions few;
  few.max_exchanges = 2000;
  few.fraction_rounds = 0;
  const auto packing = PackConflictedCycles(graph, labels, few);
  ExpectPacking(graph, *packing);
  EXPECT_EQ(packing->parts, 4);
  // A cycle has two positive edges at least, and nearly all are used up.
  EXPECT_LE(2 * packing->bound, graph.positive_weight + 1);
  EXPECT_GT(2 * packing->bound, graph.positive_weight * 9 / 10);
  few.parts = 0;
  const auto guided = PackConflictedCycles(graph, labels, few);
  ExpectPacking(graph, *guided);
  EXPECT_EQ(guided->parts, 1);
  EXPECT_GT(packing->bound, guided->bound);
  few.parts = -1;
  EXPECT_FALSE(PackConflictedCycles(graph, labels, few).ok());
}

TEST(CyclePackingTest, ExchangesNeverLose) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 50;
    options.density = 50;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Labels labels(50);
    for (int32_t v = 0; v < 50; ++v) labels[v] = v % 4;
    CyclePackingOptions most;
    most.parts = 0;
    most.fraction_rounds = 0;
    most.max_exchanges = 20000;
    CyclePackingOptions none = most;
    none.max_exchanges = 0;
    EXPECT_GE(PackConflictedCycles(graph, labels, most)->bound,
              PackConflictedCycles(graph, labels, none)->bound);
  }
}

TEST(CyclePackingTest, FractionsNeverLose) {
  int better = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 60;
    options.density = 20;
    options.negative = 30;
    options.max_weight = seed % 2 == 0 ? 1 : 1'000'000;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    const Labels labels(60, 0);
    CyclePackingOptions none;
    none.parts = 0;
    none.max_exchanges = 2000;
    none.fraction_rounds = 0;
    CyclePackingOptions all = none;
    all.fraction_rounds = 16;
    all.num_threads = 1;
    const auto packing = PackConflictedCycles(graph, labels, all);
    ASSERT_TRUE(packing.ok()) << packing.status();
    ExpectPacking(graph, *packing);
    const int64_t whole = PackConflictedCycles(graph, labels, none)->bound;
    EXPECT_GE(packing->bound, whole);
    better += packing->bound > whole ? 1 : 0;
    all.num_threads = 3;
    EXPECT_EQ(PackConflictedCycles(graph, labels, all)->vertices,
              packing->vertices);
  }
  EXPECT_GT(better, 0);
}

TEST(CyclePackingTest, ASingleConflictedCycleIsTight) {
  for (int32_t n = 3; n < 80; ++n) {
    SCOPED_TRACE(n);
    std::vector<SignedEdge> edges;
    for (int32_t v = 0; v < n; ++v) edges.push_back({v, (v + 1) % n, 5});
    edges[n / 2].weight = -7;
    edges[n - 1].weight = 3;
    const SignedGraph graph = *BuildSignedGraph(n, edges);
    // Optimal: contradicts the lightest edge.
    Labels labels(n, 0);
    for (int32_t v = n / 2 + 1; v < n; ++v) labels[v] = 1;
    ASSERT_EQ(Imbalance(graph, labels), 3);
    const auto packing = PackConflictedCycles(graph, labels);
    ASSERT_TRUE(packing.ok()) << packing.status();
    ExpectPacking(graph, *packing);
    // The greedy lengths end at 33, those of the exchange at 65; the fractions
    // find longer cycles.
    EXPECT_EQ(packing->bound, 3);
  }
}

TEST(CyclePackingTest, ARequestEndsItAndTheTimeLimitDoesNot) {
  RandomSignedGraphOptions options;
  options.num_vertices = 40;
  const SignedGraph graph = RandomSignedGraph(options);
  const Labels labels(40, 0);
  CyclePackingOptions few;
  few.max_exchanges = 2000;
  SearchControl late(/*seconds=*/1e-9);
  const auto whole = PackConflictedCycles(graph, labels, few, &late);
  EXPECT_FALSE(whole->stopped);
  EXPECT_EQ(whole->bound, PackConflictedCycles(graph, labels, few)->bound);
  EXPECT_GT(whole->bound, 0);
  late.RequestStop();
  const auto cut = PackConflictedCycles(graph, labels, few, &late);
  EXPECT_TRUE(cut->stopped);
  EXPECT_EQ(cut->bound, graph.constant_cost);
}

TEST(CyclePackingTest, RefusesOtherNumbersOfLabels) {
  EXPECT_EQ(PackConflictedCycles(SignedGraph(), {0}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(PackConflictedCycles(SignedGraph(), {})->bound, 0);
}

}  // namespace
}  // namespace warpclust
