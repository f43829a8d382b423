// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/greedy_joins.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/correlation/partition/partition.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

template <typename T>
using Matrix = std::vector<std::vector<T>>;

Labels SingleVertices(int32_t n) {
  Labels labels(n);
  std::iota(labels.begin(), labels.end(), 0);
  return labels;
}

// The magnitude in units of 2^-places, times a factor in
// [1 - noise / 2, 1 + noise / 2] that is drawn by pair, weight and seed.
int64_t NaiveRank(int32_t u, int32_t v, int64_t weight, int places,
                  const GreedyJoinsOptions& options) {
  const int64_t magnitude = std::abs(weight);
  if (magnitude == 0) return 0;
  uint64_t state = options.seed +
                   0xD1342543DE82EF95u * ((static_cast<uint64_t>(u) << 32) + v);
  uint64_t draw = Random::SplitMix(&state) ^ static_cast<uint64_t>(weight);
  draw = Random::SplitMix(&draw) >> 32;
  const __int128 noise = options.noise;
  const __int128 factor = (__int128{1} << 32) - noise * (__int128{1} << 21) +
                          ((noise * draw) >> 10);
  const auto rank = static_cast<int64_t>((magnitude * factor) >> (32 - places));
  return std::max<int64_t>(rank, 1);
}

// Ranks all pairs of clusters for every join. Of two joined clusters the one
// that touches more others keeps its number (ties: the smaller number).
int64_t NaiveJoins(const SignedGraph& graph, const GreedyJoinsOptions& options,
                   Labels* labels) {
  const int32_t k = MakeCanonical(labels);
  Matrix<int64_t> plus(k, std::vector<int64_t>(k)), weight = plus;
  Matrix<bool> touch(k, std::vector<bool>(k)), cut = touch;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t a = (*labels)[v], b = (*labels)[graph.neighbors[i]];
      if (a != b) weight[a][b] += graph.weights[i];
    }
  }
  int64_t total = 0;
  for (int32_t a = 0; a < k; ++a) {
    for (int32_t b = 0; b < k; ++b) {
      touch[a][b] = weight[a][b] != 0;
      if (a < b) total += std::abs(weight[a][b]);
    }
  }
  // The most places, up to 20, that keep the total below 2^62.
  int places = 0;
  while (places < 20 && total < (int64_t{1} << (61 - places))) ++places;

  std::vector<bool> is_gone(k);
  int64_t change = 0;
  while (true) {
    int64_t best_rank = 0;
    int32_t u = 0, v = 0;
    for (int32_t a = 0; a < k; ++a) {
      for (int32_t b = a + 1; b < k; ++b) {
        if (is_gone[a] || is_gone[b] || cut[a][b]) continue;
        if (weight[a][b] < 0 && !options.fixation) continue;
        const int64_t rank = NaiveRank(a, b, weight[a][b], places, options);
        if (rank <= best_rank) continue;
        best_rank = rank;
        u = a;
        v = b;
      }
    }
    if (best_rank == 0) break;
    if (weight[u][v] < 0) {
      cut[u][v] = cut[v][u] = true;
      continue;
    }
    change -= weight[u][v];
    const auto touched_by = [&](int32_t a) {
      return std::count(touch[a].begin(), touch[a].end(), true);
    };
    if (touched_by(v) > touched_by(u)) std::swap(u, v);
    is_gone[v] = true;
    for (int32_t x = 0; x < k; ++x) {
      touch[x][v] = false;
      if (is_gone[x] || x == u) continue;
      weight[u][x] = weight[x][u] = weight[u][x] + weight[v][x];
      touch[u][x] = touch[x][u] = touch[u][x] || touch[v][x];
      cut[u][x] = cut[x][u] = cut[u][x] || cut[v][x];
    }
    for (int32_t& label : *labels) label = label == v ? u : label;
  }
  MakeCanonical(labels);
  return change;
}

SignedGraph RandomGraph(int32_t n, uint64_t per_mille, int64_t max_weight,
                        uint64_t positive, Random* random) {
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < n; ++v) {
    for (int32_t u = 0; u < v; ++u) {
      if (random->Below(1000) >= per_mille) continue;
      const int64_t weight =
          1 + static_cast<int64_t>(random->Below(max_weight));
      const bool is_positive = random->Below(10) < positive;
      edges.push_back({u, v, is_positive ? weight : -weight});
      if (random->Below(8) == 0) {
        edges.push_back({u, v, is_positive ? -weight : weight});
      }
    }
  }
  return *BuildSignedGraph(n, edges);
}

void ExpectAsNaive(const SignedGraph& graph, const GreedyJoinsOptions& options,
                   const Labels& start) {
  Labels labels = start;
  const int64_t change = GreedyJoins(graph, options, &labels);
  Labels naive = start;
  EXPECT_EQ(change, NaiveJoins(graph, options, &naive));
  EXPECT_EQ(labels, naive);
  EXPECT_LE(change, 0);
  EXPECT_EQ(Imbalance(graph, start) + change, Imbalance(graph, labels));
}

TEST(GreedyJoinsTest, EqualsTheNaiveOneOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int32_t n = 2 + static_cast<int32_t>(random.Below(40));
    const SignedGraph graph = RandomGraph(
        n, 50 + random.Below(951), 1 + static_cast<int64_t>(random.Below(6)),
        1 + random.Below(10), &random);
    GreedyJoinsOptions options;
    options.seed = seed;
    options.noise = static_cast<int>(seed % 3 * 512);
    options.fixation = seed % 2 == 1;
    Labels start = SingleVertices(n);
    if (seed % 5 == 0) {
      for (int32_t& label : start) label = random.Below(1 + label);
    }
    ExpectAsNaive(graph, options, start);
    if (HasFailure()) return;
  }
}

// Rows of more than 32 neighbors have an index.
TEST(GreedyJoinsTest, EqualsTheNaiveOneWithLongRows) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int32_t n = 60 + static_cast<int32_t>(random.Below(60));
    const SignedGraph graph =
        RandomGraph(n, 100 + random.Below(901),
                    1 + static_cast<int64_t>(random.Below(1000)),
                    4 + random.Below(4), &random);
    GreedyJoinsOptions options;
    options.seed = seed;
    options.noise = static_cast<int>(seed % 3 * 307);
    options.fixation = seed % 2 == 1;
    ExpectAsNaive(graph, options, SingleVertices(n));
    if (HasFailure()) return;
  }
}

TEST(GreedyJoinsTest, WorkedExample) {
  // 2 and 3 first (weight 5); then 1 is at 4 - 3 from them, 0 at 2 from 1.
  const SignedGraph graph = *BuildSignedGraph(
      5, {{2, 3, 5}, {1, 2, 4}, {1, 3, -3}, {0, 1, 2}, {0, 3, -2}, {3, 4, -9}});
  Labels labels = SingleVertices(5);
  EXPECT_EQ(GreedyJoins(graph, {}, &labels), -7);
  EXPECT_EQ(labels, (Labels{0, 0, 1, 1, 2}));
}

TEST(GreedyJoinsTest, FixationKeepsStrongRepulsionsApart) {
  // Without fixation 0 and 1 are joined, then 2: 6 + 5 - 4.
  const SignedGraph graph =
      *BuildSignedGraph(3, {{0, 1, 6}, {1, 2, 4}, {0, 2, -5}, {1, 2, -1}});
  GreedyJoinsOptions options;
  options.fixation = true;
  Labels labels = SingleVertices(3);
  EXPECT_EQ(GreedyJoins(graph, options, &labels), -6);
  EXPECT_EQ(labels, (Labels{0, 0, 1}));

  // A cut is permanent, even if the sum of the weights becomes positive.
  const SignedGraph later =
      *BuildSignedGraph(4, {{0, 1, -5}, {1, 2, 4}, {0, 3, 3}, {2, 3, 3}});
  labels = SingleVertices(4);
  EXPECT_EQ(GreedyJoins(later, options, &labels), -7);
  EXPECT_EQ(labels, (Labels{0, 1, 1, 0}));
}

TEST(GreedyJoinsTest, SeedsDifferWithNoise) {
  Random random(3);
  const SignedGraph graph = RandomGraph(33, 500, 1, 5, &random);
  GreedyJoinsOptions options;
  options.noise = 307;
  Labels first = SingleVertices(33);
  GreedyJoins(graph, options, &first);
  bool differ = false;
  for (options.seed = 2; options.seed < 6; ++options.seed) {
    Labels labels = SingleVertices(33);
    GreedyJoins(graph, options, &labels);
    differ |= labels != first;
  }
  EXPECT_TRUE(differ);
}

TEST(GreedyJoinsTest, DegenerateGraphs) {
  for (const bool fixation : {false, true}) {
    GreedyJoinsOptions options;
    options.fixation = fixation;
    for (const int32_t n : {0, 1, 31, 32, 33}) {
      SCOPED_TRACE(testing::Message() << "n " << n);
      Random random(n);
      ExpectAsNaive(*BuildSignedGraph(n, {}), options, SingleVertices(n));
      if (n == 0) continue;
      // Complete and of equal weights: positive ones, negative ones.
      const SignedGraph positive = RandomGraph(n, 1000, 1, 10, &random);
      Labels labels = SingleVertices(n);
      GreedyJoins(positive, options, &labels);
      EXPECT_EQ(Imbalance(positive, labels), positive.constant_cost);
      ExpectAsNaive(positive, options, SingleVertices(n));
      const SignedGraph negative = RandomGraph(n, 1000, 1, 0, &random);
      labels = SingleVertices(n);
      EXPECT_EQ(GreedyJoins(negative, options, &labels), 0);
      EXPECT_EQ(labels, SingleVertices(n));
      // One cluster is left as it is.
      labels = Labels(n, n - 1);
      EXPECT_EQ(GreedyJoins(negative, options, &labels), 0);
      EXPECT_EQ(labels, Labels(n, 0));
    }
  }
}

TEST(GreedyJoinsTest, HeaviestWeights) {
  const int64_t heavy = kMaxSignedWeight / 4;
  const SignedGraph graph = *BuildSignedGraph(
      4, {{0, 1, heavy}, {1, 2, heavy - 1}, {0, 2, heavy}, {2, 3, -heavy}});
  for (const int noise : {0, 1024}) {
    GreedyJoinsOptions options;
    options.noise = noise;
    options.fixation = noise > 0;
    ExpectAsNaive(graph, options, SingleVertices(4));
    Labels labels = SingleVertices(4);
    EXPECT_EQ(GreedyJoins(graph, options, &labels), 1 - 3 * heavy);
  }
}

}  // namespace
}  // namespace warpclust
