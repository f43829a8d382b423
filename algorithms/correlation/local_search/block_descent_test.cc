// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/block_descent.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The label to which a vertex moves, or its own.
int32_t NaiveTarget(const SignedGraph& graph, const Labels& labels, int32_t v) {
  std::map<int32_t, int64_t> sums;
  std::set<int32_t> attractive;
  for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
    const int32_t label = labels[graph.neighbors[i]];
    sums[label] += graph.weights[i];
    if (graph.weights[i] > 0) attractive.insert(label);
  }
  int32_t best = labels[v];
  for (const int32_t label : attractive) {  // Ascending.
    if (sums[label] >= 0 && sums[label] > sums[best]) best = label;
  }
  return best;
}

Labels NaiveDescent(const SignedGraph& graph, int32_t block_size) {
  const int32_t n = graph.num_vertices();
  Labels labels(n);
  std::iota(labels.begin(), labels.end(), 0);
  std::set<int32_t> marked(labels.begin(), labels.end());
  for (int pass = 0; pass < 2; ++pass) {
    for (int32_t first = 0; first < n; first += block_size) {
      const Labels before = labels;
      std::set<int32_t> chosen;
      std::set<int32_t> later;
      for (int32_t v = first; v < std::min(first + block_size, n); ++v) {
        if (marked.erase(v) == 0) continue;
        const int32_t to = NaiveTarget(graph, before, v);
        if (to == before[v]) continue;
        const auto neighbors = graph.NeighborsOf(v);
        const bool waits =
            std::any_of(neighbors.begin(), neighbors.end(),
                        [&](int32_t u) { return chosen.count(u) > 0; });
        chosen.insert(v);
        if (waits) {
          later.insert(v);
          continue;
        }
        labels[v] = to;
        later.insert(neighbors.begin(), neighbors.end());
      }
      EXPECT_LE(Imbalance(graph, labels), Imbalance(graph, before));
      marked.insert(later.begin(), later.end());
    }
  }
  return labels;
}

TEST(BlockDescentTest, EqualsTheNaiveOne) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    RandomSignedGraphOptions options;
    options.seed = seed;
    options.num_vertices = 2 + static_cast<int32_t>(5 * seed);
    options.density = 2 + static_cast<int>(seed % 30);
    options.negative = 10 + static_cast<int>(seed % 70);
    options.max_weight = 1 + static_cast<int64_t>(seed % 3);
    const SignedGraph graph = RandomSignedGraph(options);
    for (const int32_t block_size : {1, 7, 64, 1000}) {
      const Labels naive = NaiveDescent(graph, block_size);
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(testing::Message() << "seed " << seed << " block "
                                        << block_size << " on " << threads);
        EXPECT_EQ(DescendInBlocks(graph, {nullptr, threads}, block_size),
                  naive);
      }
    }
  }
}

TEST(BlockDescentTest, FindsSeparateCliques) {
  // Ten cliques of five vertices with enemies in all others.
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < 50; ++v) {
    for (int32_t u = 0; u < v; ++u) {
      edges.push_back({u, v, u % 10 == v % 10 ? 1 : -1});
    }
  }
  const SignedGraph graph = *BuildSignedGraph(50, edges);
  EXPECT_EQ(Imbalance(graph, DescendInBlocks(graph, {nullptr, 2}, 1)), 0);
}

TEST(BlockDescentTest, AStopEndsItBetweenBlocks) {
  // Complete: the control is asked after two blocks of 100 long rows.
  constexpr int32_t kVertices = 400;
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < kVertices; ++v) {
    for (int32_t u = 0; u < v; ++u) edges.push_back({u, v, 1});
  }
  const SignedGraph graph = *BuildSignedGraph(kVertices, edges);
  SearchControl stopped;
  stopped.RequestStop();
  const Labels labels = DescendInBlocks(graph, {&stopped, 2}, 100);
  EXPECT_LT(Imbalance(graph, labels), graph.positive_weight);
  for (int32_t v = 200; v < kVertices; ++v) EXPECT_EQ(labels[v], v);
}

}  // namespace
}  // namespace warpclust
