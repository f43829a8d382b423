// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/contraction/cluster_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ClusterOrderTest, KeepsTheGraphAndItsPartition) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomSignedGraphOptions options;
    options.seed = seed;
    options.num_vertices = 30 + static_cast<int32_t>(seed);
    options.density = 20;
    options.max_weight = 3;
    options.parallel = 10;
    const SignedGraph graph = RandomSignedGraph(options);
    const ReducedGraph before = Reduce(graph);
    const int32_t n = before.graph.num_vertices();
    if (n == 0) continue;
    Random random(seed);
    Labels labels(n);
    for (int32_t& label : labels) label = random.Below(std::min(n, 7));

    Labels ordered = labels;
    const StepOptions step = {nullptr, 1 + static_cast<int>(seed % 4)};
    const ReducedGraph after = NumberByClusters(before, step, &ordered);
    EXPECT_TRUE(std::is_sorted(ordered.begin(), ordered.end()));
    MakeCanonical(&labels);
    EXPECT_EQ(Expand(after.group, ordered), Expand(before.group, labels));

    // The new numbers, from vertices of the original graph.
    Labels numbers(n, -1);
    for (size_t v = 0; v < before.group.size(); ++v) {
      int32_t& number = numbers[before.group[v]];
      if (number < 0) number = after.group[v];
      EXPECT_EQ(number, after.group[v]);
    }
    for (int32_t v = 0; v < n; ++v) {
      EXPECT_EQ(after.representative[numbers[v]], before.representative[v]);
      // Members of a cluster keep their order.
      if (v > 0 && labels[v] == labels[v - 1]) {
        EXPECT_LT(numbers[v - 1], numbers[v]);
      }
    }
    // Contracting nothing numbers the vertices, too.
    const SignedGraph expected = Contract(before.graph, numbers, n);
    EXPECT_EQ(after.graph.offsets, expected.offsets);
    EXPECT_EQ(after.graph.neighbors, expected.neighbors);
    EXPECT_EQ(after.graph.weights, expected.weights);
    EXPECT_EQ(after.graph.constant_cost, before.graph.constant_cost);
    EXPECT_EQ(after.graph.num_edges(), before.graph.num_edges());
    EXPECT_EQ(after.graph.num_negative_edges, before.graph.num_negative_edges);
    EXPECT_EQ(after.graph.positive_weight, before.graph.positive_weight);
    EXPECT_EQ(after.graph.negative_weight, before.graph.negative_weight);
    EXPECT_EQ(after.graph.units_per_one, before.graph.units_per_one);
  }
}

// Each reading of the clock is a second later than the one before, so a limit
// is noticed at the reading of its number, and none may follow.
TEST(ClusterOrderTest, NoticesAStop) {
  const SignedGraph graph = PlantedSignedGraph(3000, 30, 60, 1);
  ReducedGraph reduced;
  reduced.graph = graph;
  reduced.group.resize(graph.num_vertices());
  std::iota(reduced.group.begin(), reduced.group.end(), 0);
  reduced.representative = reduced.group;
  for (const int limit : {1, 2, 1000}) {
    int readings = 0;
    const SearchControl control(limit, [&readings] { return ++readings; });
    Labels labels = reduced.group;
    NumberByClusters(reduced, {&control, 1}, &labels);
    EXPECT_GE(readings, std::min(limit, 2));
    EXPECT_LE(readings, limit);
  }
}

}  // namespace
}  // namespace warpclust
