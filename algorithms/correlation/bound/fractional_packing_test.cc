// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/fractional_packing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/correlation/bound/engine/agreeing_edges.h"
#include "algorithms/correlation/bound/engine/cheapest_path.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr FractionalOptions kOptions = {
    .rounds = 10, .steps = 50, .max_visits = 1'000'000, .num_threads = 1};

std::vector<int64_t> Capacities(const AgreeingEdges& edges) {
  std::vector<int64_t> result;
  for (const SignedPair& pair : edges.pairs) result.push_back(pair.left);
  return result;
}

// The definition: closed paths with one negative pair, within the weights.
void ExpectPacking(const AgreeingEdges& edges,
                   const FractionalPacking& packing) {
  std::vector<int64_t> left = Capacities(edges);
  for (int64_t& capacity : left) capacity *= packing.parts;
  int64_t total = 0;
  for (const PackedCycle& cycle : packing.cycles) {
    EXPECT_GT(cycle.weight, 0);
    total += cycle.weight;
    const SignedPair& closing = edges.pairs[cycle.contradicting];
    EXPECT_FALSE(closing.agrees);
    left[cycle.contradicting] -= cycle.weight;
    int negative = closing.negative ? 1 : 0;
    int32_t vertex = closing.u;
    for (const int32_t index : cycle.path) {
      const SignedPair& pair = edges.pairs[index];
      EXPECT_TRUE(pair.agrees);
      EXPECT_TRUE(pair.u == vertex || pair.v == vertex);
      vertex = pair.u == vertex ? pair.v : pair.u;
      negative += pair.negative ? 1 : 0;
      left[index] -= cycle.weight;
    }
    EXPECT_EQ(vertex, closing.v);
    EXPECT_EQ(negative, 1);
  }
  EXPECT_EQ(total, packing.total);
  for (const int64_t capacity : left) EXPECT_GE(capacity, 0);
}

TEST(FractionalPackingTest, IsAPackingAndAtMostTheOptimum) {
  Random random(1);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 1 + static_cast<int32_t>(seed % 9);
    options.density = seed % 2 == 0 ? 50 : 100;
    options.max_weight = seed % 3 == 0   ? 1
                         : seed % 3 == 1 ? 9
                                         : int64_t{1} << 40;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Labels labels(options.num_vertices);
    for (int32_t& label : labels) {
      label = static_cast<int32_t>(random.Below(3));
    }
    const AgreeingEdges edges(graph, labels);
    const FractionalPacking packing =
        *PackFractions(edges, Capacities(edges), {}, kOptions, nullptr);
    ExpectPacking(edges, packing);
    EXPECT_FALSE(packing.stopped);
    EXPECT_LE(packing.total / packing.parts, LeastImbalance(graph));
  }
}

// Any two of three triangles share a positive pair: one fits whole, three fit
// by halves.
TEST(FractionalPackingTest, FindsHalves) {
  const SignedGraph graph = *BuildSignedGraph(
      4, {{0, 1, -1}, {1, 2, -1}, {2, 0, -1}, {0, 3, 1}, {1, 3, 1}, {2, 3, 1}});
  const AgreeingEdges edges(graph, {0, 0, 0, 0});
  const FractionalPacking packing =
      *PackFractions(edges, Capacities(edges), {}, kOptions, nullptr);
  ExpectPacking(edges, packing);
  EXPECT_GT(2 * packing.total, 3 * packing.parts - packing.parts / 10);
}

TEST(FractionalPackingTest, ThreadsDoNotMatterAndCyclesHelp) {
  RandomSignedGraphOptions options;
  options.num_vertices = 150;
  options.density = 50;
  options.max_weight = 5;
  const SignedGraph graph = RandomSignedGraph(options);
  Labels labels(150);
  for (int32_t v = 0; v < 150; ++v) labels[v] = v % 5;
  const AgreeingEdges edges(graph, labels);
  FractionalOptions few = kOptions;
  few.rounds = 2;
  few.steps = 5;
  const FractionalPacking first =
      *PackFractions(edges, Capacities(edges), {}, few, nullptr);
  ExpectPacking(edges, first);
  EXPECT_GT(first.total, 0);
  // No round: nothing but the cycles that are given.
  few.rounds = 0;
  EXPECT_EQ(PackFractions(edges, Capacities(edges), {}, few, nullptr)->total,
            0);
  std::vector<PackedCycle> cycles;
  size_t pairs = 0;
  // Enough for more than one thread.
  while (pairs < 500'000) {
    for (const PackedCycle& cycle : first.cycles) {
      cycles.push_back(cycle);
      cycles.back().weight = 1;
      pairs += cycle.path.size();
    }
  }
  EXPECT_GT(
      PackFractions(edges, Capacities(edges), cycles, few, nullptr)->total, 0);
  few.rounds = 1;
  few.steps = 2;
  const FractionalPacking one =
      *PackFractions(edges, Capacities(edges), cycles, few, nullptr);
  ExpectPacking(edges, one);
  few.num_threads = 3;
  const FractionalPacking three =
      *PackFractions(edges, Capacities(edges), cycles, few, nullptr);
  EXPECT_EQ(three.total, one.total);
  ASSERT_EQ(three.cycles.size(), one.cycles.size());
  for (size_t c = 0; c < one.cycles.size(); ++c) {
    EXPECT_EQ(three.cycles[c].weight, one.cycles[c].weight);
    EXPECT_EQ(three.cycles[c].path, one.cycles[c].path);
  }
}

TEST(FractionalPackingTest, ARequestEndsIt) {
  RandomSignedGraphOptions options;
  options.num_vertices = 60;
  const SignedGraph graph = RandomSignedGraph(options);
  const AgreeingEdges edges(graph, Labels(60, 0));
  SearchControl control;
  control.RequestStop();
  const FractionalPacking packing =
      *PackFractions(edges, Capacities(edges), {}, kOptions, &control);
  ExpectPacking(edges, packing);
  EXPECT_TRUE(packing.stopped);
}

// Of all simple paths, by trying them.
class AllPaths {
 public:
  AllPaths(const AgreeingEdges& edges, const std::vector<float>& prices)
      : edges_(edges), prices_(prices) {}

  // The least price of a path, with `per_pair` for each of its pairs.
  float Least(int32_t contradicting, float per_pair) {
    const SignedPair& closing = edges_.pairs[contradicting];
    least_ = 1e9F;
    per_pair_ = per_pair;
    target_ = closing.v;
    visited_.assign(edges_.offsets().size() - 1, false);
    Extend(closing.u, closing.negative ? 0 : 1, 0);
    return least_;
  }

 private:
  void Extend(int32_t vertex, int negative, float price) {
    if (vertex == target_) {
      if (negative == 0) least_ = std::min(least_, price);
      return;
    }
    visited_[vertex] = true;
    for (int64_t i = edges_.offsets()[vertex]; i < edges_.offsets()[vertex + 1];
         ++i) {
      const AgreeingEdges::Entry entry = edges_.entries()[i];
      const int left = negative - (edges_.pairs[entry.pair].negative ? 1 : 0);
      if (visited_[entry.neighbor] || left < 0) continue;
      Extend(entry.neighbor, left, price + prices_[entry.pair] + per_pair_);
    }
    visited_[vertex] = false;
  }

  const AgreeingEdges& edges_;
  const std::vector<float>& prices_;
  float least_ = 0;
  float per_pair_ = 0;
  int32_t target_ = 0;
  std::vector<bool> visited_;
};

TEST(CheapestPathsTest, AgainstAllPaths) {
  Random random(3);
  int found = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 3 + static_cast<int32_t>(seed % 6);
    options.density = 60;
    options.negative = 30;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Labels labels(options.num_vertices);
    for (int32_t& label : labels) {
      label = static_cast<int32_t>(random.Below(2));
    }
    const AgreeingEdges edges(graph, labels);
    std::vector<float> prices;
    for (size_t i = 0; i < edges.pairs.size(); ++i) {
      // Multiples of 1/8, larger than all costs of pairs together.
      prices.push_back(static_cast<float>(random.Below(5)) / 8);
    }
    CheapestPaths paths(edges);
    paths.SetPrices(prices);
    CheapestPaths::Workspace workspace(paths);
    AllPaths all(edges, prices);
    for (size_t i = 0; i < edges.pairs.size(); ++i) {
      if (edges.pairs[i].agrees) continue;
      const auto pair = static_cast<int32_t>(i);
      const float least = all.Least(pair, 0);
      const bool is_found = paths.Search(pair, 0.9F, 10'000, &workspace);
      EXPECT_EQ(is_found, least < 0.9F);
      if (!is_found) continue;
      ++found;
      float price = 0;
      for (const int32_t index : workspace.path) price += prices[index];
      EXPECT_EQ(price, least);
      EXPECT_LE(price + 0.01F * static_cast<float>(workspace.path.size()),
                all.Least(pair, 0.01F) + 1e-5F);
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace warpclust
