// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/small_blocks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/correlation/bound/cycle_packing.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Whether two vertices stay connected without `without`.
bool Connected(const SignedGraph& graph, int32_t from, int32_t to,
               int32_t without) {
  std::vector<bool> seen(graph.num_vertices(), false);
  std::vector<int32_t> stack = {from};
  seen[from] = true;
  while (!stack.empty()) {
    const int32_t u = stack.back();
    stack.pop_back();
    for (const int32_t v : graph.NeighborsOf(u)) {
      if (v == without || seen[v]) continue;
      seen[v] = true;
      stack.push_back(v);
    }
  }
  return seen[to];
}

TEST(SmallBlocksTest, BlocksMeetTheDefinition) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 1 + static_cast<int32_t>(seed % 14);
    options.density = 15 + static_cast<int>(seed % 3) * 10;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    const Blocks blocks = FindBlocks(graph);
    std::map<int32_t, std::set<int32_t>> vertices;
    std::map<std::pair<int32_t, int32_t>, int32_t> block_of;
    for (int32_t u = 0; u < graph.num_vertices(); ++u) {
      for (int64_t i = graph.offsets[u]; i < graph.offsets[u + 1]; ++i) {
        const int32_t block = blocks.of_entry[i];
        ASSERT_GE(block, 0);
        vertices[block].insert(u);
        vertices[block].insert(graph.neighbors[i]);
        block_of[{u, graph.neighbors[i]}] = block;
      }
    }
    ASSERT_EQ(vertices.size(), blocks.offsets.size() - 1);
    for (const auto& [block, set] : vertices) {
      EXPECT_EQ(std::vector<int32_t>(
                    blocks.vertices.begin() + blocks.offsets[block],
                    blocks.vertices.begin() + blocks.offsets[block + 1]),
                std::vector<int32_t>(set.begin(), set.end()));
    }
    // Two pairs of a vertex are in one block if and only if their other ends
    // are connected without it.
    for (const auto& [pair, block] : block_of) {
      const auto [u, v] = pair;
      EXPECT_EQ((block_of[{v, u}]), block);
      for (const int32_t w : graph.NeighborsOf(u)) {
        EXPECT_EQ((block_of[{u, w}] == block), Connected(graph, v, w, u));
      }
    }
  }
}

TEST(SmallBlocksTest, LeastCostIsTheOptimum) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 1 + static_cast<int32_t>(seed % 9);
    options.density = 70;
    options.parallel = 20;
    options.max_weight = seed % 3 == 0 ? 1 : 1'000'000'000'000;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    std::vector<int32_t> all(options.num_vertices);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(graph.constant_cost + LeastCost(graph, all),
              LeastImbalance(graph));
  }
}

TEST(SmallBlocksTest, SolvesWhatCyclesDoNot) {
  Random random(1);
  int solved = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 1 + static_cast<int32_t>(seed % 10);
    options.density = seed % 2 == 0 ? 30 : 90;
    options.max_weight = seed % 3 == 0 ? 1 : 9;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Labels labels(options.num_vertices);
    for (int32_t& label : labels) {
      label = static_cast<int32_t>(random.Below(3));
    }
    CyclePackingOptions few;
    few.max_exchanges = 100;
    few.fraction_rounds = static_cast<int>(seed % 2) * 4;
    CyclePacking packing = *PackConflictedCycles(graph, labels, few);
    SolveSmallBlocks(graph, labels, nullptr, &packing);
    EXPECT_EQ(packing.bound, LeastImbalance(graph));
    solved += packing.block_offsets.size() > 1 ? 1 : 0;
    ASSERT_EQ(packing.offsets.size(), packing.weights.size() + 1);
    EXPECT_EQ(packing.vertices.size(), packing.offsets.back());
    // No pair is in a cycle and in a solved block.
    std::set<std::pair<int32_t, int32_t>> pairs;
    for (size_t b = 0; b + 1 < packing.block_offsets.size(); ++b) {
      for (int64_t i = packing.block_offsets[b];
           i < packing.block_offsets[b + 1]; ++i) {
        for (int64_t j = packing.block_offsets[b]; j < i; ++j) {
          const auto pair =
              std::minmax(packing.block_vertices[i], packing.block_vertices[j]);
          EXPECT_TRUE(pairs.insert(pair).second);
        }
      }
    }
    for (size_t c = 0; c < packing.weights.size(); ++c) {
      for (int64_t i = packing.offsets[c] + 1; i < packing.offsets[c + 1];
           ++i) {
        EXPECT_EQ(pairs.count(std::minmax(packing.vertices[i - 1],
                                          packing.vertices[i])),
                  0);
      }
    }
  }
  EXPECT_GT(solved, 5);
}

}  // namespace
}  // namespace warpclust
