// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/mutual_joins.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/contraction/greedy_joins.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Matrix = std::vector<std::vector<int64_t>>;

int32_t NumClusters(const Labels& canonical) {
  return *std::max_element(canonical.begin(), canonical.end()) + 1;
}

// The net weights between clusters, numbered canonically.
Matrix WeightsBetween(const SignedGraph& graph, const Labels& labels) {
  const int32_t k = NumClusters(labels);
  Matrix weights(k, std::vector<int64_t>(k));
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const int32_t a = labels[v], b = labels[graph.neighbors[i]];
      if (a != b) weights[a][b] += graph.weights[i];
    }
  }
  return weights;
}

Labels Alone(const SignedGraph& graph) {
  Labels labels(graph.num_vertices());
  std::iota(labels.begin(), labels.end(), 0);
  return labels;
}

// From all pairs of clusters, anew in each round.
Labels NaiveMutualJoins(const SignedGraph& graph, int64_t most_entries,
                        int most_rounds = 1000) {
  Labels labels = Alone(graph);
  for (int round = 0;; ++round) {
    const Matrix weights = WeightsBetween(graph, labels);
    const auto k = static_cast<int32_t>(weights.size());
    int64_t entries = 0;
    std::vector<int32_t> best(k, -1);
    for (int32_t a = 0; a < k; ++a) {
      std::pair<int64_t, uint64_t> most = {0, 0};
      for (int32_t b = 0; b < k; ++b) {
        entries += weights[a][b] != 0;
        uint64_t pair =
            static_cast<uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
        const std::pair<int64_t, uint64_t> value = {weights[a][b],
                                                    Random::SplitMix(&pair)};
        if (weights[a][b] <= 0 || value < most) continue;
        most = value;
        best[a] = b;
      }
    }
    int32_t num_pairs = 0;
    Labels group(k);
    for (int32_t a = 0; a < k; ++a) {
      const bool is_mutual = best[a] >= 0 && best[best[a]] == a;
      group[a] = is_mutual ? std::min(a, best[a]) : a;
      num_pairs += group[a] < a;
    }
    if (entries <= most_entries || 32 * num_pairs < k || round == most_rounds) {
      return labels;
    }
    for (int32_t& label : labels) label = group[label];
    MakeCanonical(&labels);
  }
}

TEST(MutualJoinsTest, EqualTheNaiveOnesOnRandomGraphs) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomSignedGraphOptions options;
    options.seed = seed;
    options.num_vertices = 2 + static_cast<int32_t>(seed % 90);
    options.density = 5 + 10 * static_cast<int>(seed % 9);
    options.max_weight = 1 + static_cast<int64_t>(seed % 4);
    const SignedGraph graph = RandomSignedGraph(options);
    const int64_t most_entries = seed % 3 == 0 ? graph.offsets.back() / 4 : 0;
    const Labels naive = NaiveMutualJoins(graph, most_entries);
    for (const int threads : {1, 3}) {
      // In place as well.
      SignedGraph joined = graph;
      const SignedGraph& from = threads == 1 ? graph : joined;
      Labels labels =
          JoinMutualPairs(from, most_entries, {nullptr, threads}, &joined);
      if (labels.empty()) labels = Alone(graph);
      EXPECT_EQ(labels, naive);
      const SignedGraph contracted = Contract(graph, naive, NumClusters(naive));
      EXPECT_EQ(std::tie(joined.offsets, joined.neighbors, joined.weights,
                         joined.constant_cost),
                std::tie(contracted.offsets, contracted.neighbors,
                         contracted.weights, contracted.constant_cost));
    }
  }
}

// Each reading of the clock is a second later than the one before.
TEST(MutualJoinsTest, AStopKeepsTheRoundsBeforeIt) {
  RandomSignedGraphOptions options;
  options.num_vertices = 300;
  options.density = 10;
  const SignedGraph graph = RandomSignedGraph(options);
  constexpr int kLimits = 60;
  int rounds = 0;
  for (int limit = 1; limit <= kLimits; ++limit) {
    SCOPED_TRACE(testing::Message() << "limit " << limit);
    int readings = 0;
    const SearchControl control(limit, [&readings] { return ++readings; });
    SignedGraph joined = graph;
    Labels labels = JoinMutualPairs(graph, 0, {&control, 1}, &joined);
    EXPECT_LE(readings, limit + 1);
    if (labels.empty()) labels = Alone(graph);
    // A reading follows each round.
    while (rounds < limit && NaiveMutualJoins(graph, 0, rounds) != labels) {
      ++rounds;
    }
    EXPECT_EQ(NaiveMutualJoins(graph, 0, rounds), labels);
    EXPECT_EQ(joined.offsets,
              Contract(graph, labels, NumClusters(labels)).offsets);
    EXPECT_LT(rounds, limit);
  }
  EXPECT_EQ(NaiveMutualJoins(graph, 0, rounds), NaiveMutualJoins(graph, 0));
}

TEST(MutualJoinsTest, GreedyJoinsContinueFromThem) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomSignedGraphOptions options;
    options.seed = seed;
    options.num_vertices = 60;
    options.density = 10 + static_cast<int>(seed % 80);
    options.negative = 60;
    options.parallel = 20;
    const SignedGraph graph = RandomSignedGraph(options);
    StepOptions step;
    step.large_entries = 4 * 300;
    for (const int32_t cluster_size : {1, 2}) {
      Labels start(60);
      for (int32_t v = 0; v < 60; ++v) start[v] = v - v % cluster_size;
      Labels labels = start;
      const int64_t change =
          GreedyJoins(graph, GreedyJoinsOptions(), &labels, step);
      EXPECT_EQ(Imbalance(graph, start) + change, Imbalance(graph, labels));
      for (const std::vector<int64_t>& row : WeightsBetween(graph, labels)) {
        EXPECT_LE(*std::max_element(row.begin(), row.end()), 0);
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
