// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/semidefinite_bound.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/correlation/bound/positive_definite.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The definition: S is positive definite, and the sum of d tells the bound.
void ExpectProof(const SignedGraph& graph, const SemidefiniteBound& proof) {
  const int64_t n = graph.num_vertices();
  if (proof.diagonal.empty()) {
    EXPECT_EQ(proof.bound, graph.constant_cost);
    return;
  }
  ASSERT_EQ(proof.diagonal.size(), n);
  ASSERT_EQ(proof.offsets.size(), n + 1);
  std::vector<int64_t> matrix(n * n, 0);
  int64_t positive = 0;
  for (int64_t u = 0; u < n; ++u) {
    matrix[u * n + u] = proof.diagonal[u];
    for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
      matrix[u * n + graph.neighbors[i]] -= graph.weights[i] * proof.parts;
      positive += std::max<int64_t>(graph.weights[i], 0);
    }
    for (int64_t i = proof.offsets[u]; i < proof.offsets[u + 1]; ++i) {
      ASSERT_GT(proof.vertices[i], u);
      ASSERT_GT(proof.repulsion[i], 0);
      matrix[u * n + proof.vertices[i]] -= proof.repulsion[i];
    }
  }
  EXPECT_TRUE(IsPositiveDefinite(matrix, n, 0));
  const int64_t sum =
      std::accumulate(proof.diagonal.begin(), proof.diagonal.end(), int64_t{0});
  EXPECT_EQ(proof.bound,
            graph.constant_cost + positive / 2 - sum / (2 * proof.parts));
}

TEST(SemidefiniteBoundTest, IsAProofAndAtMostTheOptimum) {
  int64_t bounds = 0;
  int64_t optima = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 1 + static_cast<int32_t>(seed % 9);
    options.density = seed % 4 == 0 ? 50 : 100;
    options.parallel = 20;
    options.max_weight = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 9 : 1'000'000'000;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    const auto proof = BoundBySemidefiniteProgram(graph, {.rounds = 60});
    ASSERT_TRUE(proof.ok()) << proof.status();
    ExpectProof(graph, *proof);
    const int64_t optimum = LeastImbalance(graph);
    EXPECT_LE(proof->bound, optimum);
    if (options.max_weight > 9) continue;
    bounds += proof->bound;
    optima += optimum;
  }
  // Not far below.
  EXPECT_GT(bounds * 10, optima * 8);
}

TEST(SemidefiniteBoundTest, ProvesMoreThanHalfOfThePositiveWeight) {
  RandomSignedGraphOptions options;
  options.num_vertices = 100;
  options.density = 80;
  const SignedGraph graph = RandomSignedGraph(options);
  const auto proof = BoundBySemidefiniteProgram(graph);
  ASSERT_TRUE(proof.ok()) << proof.status();
  ExpectProof(graph, *proof);
  EXPECT_GT(2 * proof->bound, graph.positive_weight * 5 / 4);
  const auto again = BoundBySemidefiniteProgram(graph);
  EXPECT_EQ(again->diagonal, proof->diagonal);
  EXPECT_EQ(again->repulsion, proof->repulsion);
}

TEST(SemidefiniteBoundTest, AGroupOfFriendsCostsNothing) {
  std::vector<SignedEdge> edges;
  for (int32_t u = 0; u < 6; ++u) {
    for (int32_t v = 0; v < u; ++v) edges.push_back({u, v, 3});
  }
  // With vertices that have no edge.
  const SignedGraph graph = *BuildSignedGraph(8, edges);
  const auto proof = BoundBySemidefiniteProgram(graph);
  ASSERT_TRUE(proof.ok()) << proof.status();
  ExpectProof(graph, *proof);
  EXPECT_EQ(proof->bound, 0);
}

TEST(SemidefiniteBoundTest, HugeWeightsAreLeftOut) {
  const int64_t huge = int64_t{1} << 50;
  const SignedGraph graph =
      *BuildSignedGraph(3, {{0, 1, huge}, {1, 2, huge}, {0, 2, -huge}});
  const auto proof = BoundBySemidefiniteProgram(graph);
  ASSERT_TRUE(proof.ok()) << proof.status();
  EXPECT_EQ(proof->bound, 0);
  EXPECT_TRUE(proof->diagonal.empty());
  const int64_t large = int64_t{1} << 38;
  const SignedGraph triangle =
      *BuildSignedGraph(3, {{0, 1, large}, {1, 2, large}, {0, 2, -large}});
  const auto proved = BoundBySemidefiniteProgram(triangle);
  ExpectProof(triangle, *proved);
  EXPECT_GT(proved->bound, large / 2);
  EXPECT_LE(proved->bound, large);
}

TEST(SemidefiniteBoundTest, ARequestEndsIt) {
  RandomSignedGraphOptions options;
  options.num_vertices = 60;
  const SignedGraph graph = RandomSignedGraph(options);
  SearchControl control(/*seconds=*/1e-9);
  EXPECT_FALSE(BoundBySemidefiniteProgram(graph, {}, &control)->stopped);
  control.RequestStop();
  const auto cut = BoundBySemidefiniteProgram(graph, {}, &control);
  EXPECT_TRUE(cut->stopped);
  ExpectProof(graph, *cut);
}

TEST(SemidefiniteBoundTest, RefusesLargeGraphs) {
  const SignedGraph graph =
      *BuildSignedGraph(kMostSemidefiniteVertices + 1, {});
  EXPECT_EQ(BoundBySemidefiniteProgram(graph).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(BoundBySemidefiniteProgram(SignedGraph(), {.rounds = -1}).ok());
  EXPECT_EQ(BoundBySemidefiniteProgram(SignedGraph())->bound, 0);
}

}  // namespace
}  // namespace warpclust
