// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/core.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/contraction/reduction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

SignedGraph MakeGraph(uint64_t seed, int32_t n, int density) {
  RandomSignedGraphOptions options;
  options.num_vertices = n;
  options.density = density;
  options.negative = 20;
  options.max_weight = seed % 2 == 0 ? 5 : 1;
  options.seed = seed;
  return RandomSignedGraph(options);
}

Labels RandomAgreed(uint64_t seed, int32_t n, int32_t num_labels) {
  Random random(seed);
  Labels agreed(n);
  for (int32_t& label : agreed) {
    label = static_cast<int32_t>(random.Below(num_labels));
  }
  MakeCanonical(&agreed);
  return agreed;
}

// The groups that stay together, by the definition, without a reduction.
Labels NaiveGroups(const SignedGraph& graph, const Labels& agreed,
                   double mean_weight) {
  const int32_t n = graph.num_vertices();
  Labels group(n);
  Labels first(n, -1);  // by label: the first vertex that stays
  for (int32_t v = 0; v < n; ++v) {
    group[v] = v;
    int64_t attachment = 0;
    for (size_t i = 0; i < graph.NeighborsOf(v).size(); ++i) {
      const int64_t weight = graph.WeightsOf(v)[i];
      const bool inside = agreed[graph.NeighborsOf(v)[i]] == agreed[v];
      attachment += inside ? weight : -std::max<int64_t>(weight, 0);
    }
    const auto size = std::count(agreed.begin(), agreed.end(), agreed[v]);
    if (16 * size > n && static_cast<double>(attachment) > 4 * mean_weight) {
      if (first[agreed[v]] < 0) first[agreed[v]] = v;
      group[v] = first[agreed[v]];
    }
  }
  MakeCanonical(&group);
  return group;
}

TEST(MakeCoreTest, HasTheLeastImbalanceOfTheGroupsThatStay) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const int32_t n = 4 + static_cast<int32_t>(seed % 6);
    const SignedGraph graph = MakeGraph(seed, n, 80);
    const Labels agreed = RandomAgreed(seed, n, 1 + seed % 3);
    const double mean_weight = seed % 2 == 0 ? 1 : 0.25;
    const Labels group = NaiveGroups(graph, agreed, mean_weight);
    const int32_t num_groups =
        *std::max_element(group.begin(), group.end()) + 1;
    const ReducedGraph core = MakeCore(graph, agreed, mean_weight);
    EXPECT_EQ(LeastImbalance(core.graph),
              LeastImbalance(Contract(graph, group, num_groups)));
  }
}

TEST(MakeCoreTest, PartitionsOfTheCoreCostAsMuchInTheGraph) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const int32_t n = 300;
    const SignedGraph graph = MakeGraph(seed, n, 5);
    const ReducedGraph core = MakeCore(graph, RandomAgreed(seed, n, 2), 1);
    const auto size = static_cast<int32_t>(core.representative.size());
    ASSERT_EQ(size, core.graph.num_vertices());
    EXPECT_LT(size, n);
    for (int32_t g = 0; g < size; ++g) {
      EXPECT_EQ(core.group[core.representative[g]], g);
    }
    Labels labels = RandomAgreed(seed + 1, size, 7);
    Intersect(PositiveComponents(core.graph), &labels);
    EXPECT_EQ(Imbalance(graph, Expand(core.group, labels)),
              Imbalance(core.graph, labels));
  }
}

TEST(MakeCoreTest, SmallGroupsAreFree) {
  // A clique of twenty groups of five: none is large.
  std::vector<SignedEdge> edges;
  Labels agreed;
  for (int32_t u = 0; u < 100; ++u) {
    for (int32_t v = 0; v < u; ++v)
      edges.push_back({v, u, u % 3 == 0 ? -1 : 1});
    agreed.push_back(u / 5);
  }
  const auto graph = BuildSignedGraph(100, edges);
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(MakeCore(*graph, agreed, 1).group, Reduce(*graph).group);
  EXPECT_FALSE(HasLargeGroup(agreed));
  // Six of a hundred are less than a sixteenth, seven are more.
  agreed[5] = 0;
  EXPECT_FALSE(HasLargeGroup(agreed));
  agreed[6] = 0;
  EXPECT_TRUE(HasLargeGroup(agreed));
  EXPECT_FALSE(HasLargeGroup({}));
}

TEST(MakeCoreTest, AStopLeavesNoVertices) {
  SearchControl control;
  control.RequestStop();
  const SignedGraph graph = MakeGraph(1, 300, 50);
  EXPECT_EQ(
      MakeCore(graph, Labels(300, 0), 1, {&control, 1}).graph.num_vertices(),
      0);
}

}  // namespace
}  // namespace warpclust
