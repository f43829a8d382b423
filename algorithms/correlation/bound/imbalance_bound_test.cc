// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/imbalance_bound.h"

#include <cstdint>
#include <vector>

#include "algorithms/correlation/bound/cycle_packing.h"
#include "algorithms/correlation/bound/semidefinite_bound.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ImbalanceBoundTest, TakesTheBetterOfTwo) {
  Random random(1);
  int semidefinite = 0;
  int cycles = 0;
  for (uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    // Up to 18 vertices are solved exactly.
    options.num_vertices =
        static_cast<int32_t>(seed % 2 == 0 ? 5 + seed / 2 : 30 + seed);
    options.density = 100;
    options.max_weight = seed % 3 == 0 ? 1 : 9;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Labels labels(options.num_vertices);
    for (int32_t& label : labels) {
      label = static_cast<int32_t>(random.Below(3));
    }
    SearchControl control;
    const auto proof = BoundImbalance(graph, labels, &control);
    ASSERT_TRUE(proof.ok()) << proof.status();
    ASSERT_FALSE(proof->packing.steps.empty());
    EXPECT_EQ(proof->packing.steps.back().bound, proof->bound);
    if (options.num_vertices < 10) {
      EXPECT_EQ(proof->bound, LeastImbalance(graph));
    } else {
      EXPECT_LE(proof->bound, Imbalance(graph, labels));
    }
    if (proof->semidefinite.diagonal.empty()) {
      EXPECT_EQ(proof->bound, proof->packing.bound);
      ++cycles;
    } else {
      EXPECT_EQ(proof->bound, proof->semidefinite.bound);
      EXPECT_GT(proof->bound, proof->packing.bound);
      ++semidefinite;
    }
  }
  EXPECT_GT(semidefinite, 0);
  EXPECT_GT(cycles, 0);
}

// Clusters of 40 vertices with 3 edges per vertex, every eighth of the wrong
// sign, and `extra` more vertices on a path of positive edges.
SignedGraph SparsePlantedGraph(uint64_t seed, int32_t extra) {
  constexpr int32_t kVertices = 320;
  Random random(seed);
  std::vector<SignedEdge> edges;
  for (int32_t i = 0; i < 3 * kVertices; ++i) {
    const auto u = static_cast<int32_t>(random.Below(kVertices));
    const auto v = static_cast<int32_t>(random.Below(2) == 0
                                            ? random.Below(kVertices)
                                            : u / 40 * 40 + random.Below(40));
    if (u == v) continue;
    const bool positive = (u / 40 == v / 40) != (random.Below(8) == 0);
    edges.push_back({u, v, positive ? 1 : -1});
  }
  for (int32_t i = 1; i < extra; ++i) {
    edges.push_back({kVertices + i - 1, kVertices + i, 1});
  }
  return *BuildSignedGraph(kVertices + extra, edges);
}

// That many vertices are too many for the semidefinite program, so that small
// and large graphs go different ways.
TEST(ImbalanceBoundTest, VerticesWithoutCostDoNotImproveTheBound) {
  constexpr int32_t kExtra = kMostSemidefiniteVertices + 52;
  int improved = 0;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const SignedGraph graph = SparsePlantedGraph(seed, 0);
    const SignedGraph padded = SparsePlantedGraph(seed, kExtra);
    Labels labels;
    for (int32_t v = 0; v < padded.num_vertices(); ++v) {
      labels.push_back(v < graph.num_vertices() ? v / 40 : 320);
    }
    const auto more = BoundImbalance(padded, labels, nullptr, 1);
    ASSERT_TRUE(more.ok()) << more.status();
    labels.resize(graph.num_vertices());
    const auto proof = BoundImbalance(graph, labels, nullptr, 1);
    ASSERT_TRUE(proof.ok()) << proof.status();
    EXPECT_GE(proof->bound, more->bound);
    EXPECT_LE(proof->bound, Imbalance(graph, labels));
    // Cycles that contradict these labels more than once help, too.
    const auto once = PackConflictedCycles(graph, labels);
    ASSERT_TRUE(once.ok()) << once.status();
    if (proof->bound > once->bound) ++improved;
  }
  EXPECT_GT(improved, 0);
}

TEST(ImbalanceBoundTest, DenseGraphsAndRequests) {
  RandomSignedGraphOptions options;
  options.num_vertices = 50;
  options.density = 100;
  const SignedGraph graph = RandomSignedGraph(options);
  Labels labels(50);
  for (int32_t v = 0; v < 50; ++v) labels[v] = v % 4;
  SearchControl control;
  const auto proof = BoundImbalance(graph, labels, &control);
  ASSERT_TRUE(proof.ok()) << proof.status();
  EXPECT_FALSE(proof->semidefinite.diagonal.empty());
  EXPECT_FALSE(proof->packing.stopped);
  EXPECT_EQ(proof->packing.steps.back().bound, proof->bound);
  control.RequestStop();
  const auto cut = BoundImbalance(graph, labels, &control);
  EXPECT_TRUE(cut->packing.stopped);
  EXPECT_EQ(cut->bound, cut->packing.bound);
}

}  // namespace
}  // namespace warpclust
