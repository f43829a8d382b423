// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/two_opt.h"

#include <cstdint>
#include <memory>

#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/naive_starts.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Whether some two vertices, adjacent or not, gain by some move of both.
bool AnyPairGains(const SignedGraph& graph, const Labels& labels) {
  const int32_t n = graph.num_vertices();
  const int64_t before = NaiveImbalance(graph, labels);
  for (int32_t u = 0; u < n; ++u) {
    for (int32_t v = u + 1; v < n; ++v) {
      for (int32_t a = 0; a <= n; ++a) {
        for (int32_t b = 0; b <= n + 1; ++b) {
          Labels after = labels;
          after[u] = a;
          after[v] = b;
          if (NaiveImbalance(graph, after) < before) return true;
        }
      }
    }
  }
  return false;
}

TEST(TwoOptTest, MakesTheFirstGainingPairMove) {
  int moves = 0;
  int local_optima = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 2 + static_cast<int32_t>(seed % 9);
    options.density = 30 + static_cast<int>(seed % 3) * 35;
    options.max_weight = seed % 2 == 0 ? 1 : 4;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    const int32_t n = graph.num_vertices();
    TwoOpt two_opt(graph);
    for (const LocalSearchKind kind :
         {LocalSearchKind::kSparse, LocalSearchKind::kDense}) {
      const LocalSearchFactory factory = MakeLocalSearchFactory(graph, kind);
      const std::unique_ptr<LocalSearch> search = factory();
      Random random(seed);
      Labels labels(n);
      for (int32_t& label : labels) {
        label = static_cast<int32_t>(random.Below(n));
      }
      search->Assign(labels);
      search->MarkAll(nullptr);
      while (true) {
        search->Descend(static_cast<int32_t>(random.Below(n)), nullptr);
        const int32_t first = static_cast<int32_t>(random.Below(n));
        Labels expected = search->labels();
        const bool gains = NaiveTwoOpt(graph, first, &expected);
        const int64_t before = search->imbalance();
        ASSERT_EQ(two_opt.Improve(first, nullptr, search.get()), gains);
        ASSERT_EQ(search->labels(), expected);
        EXPECT_EQ(search->imbalance(), NaiveImbalance(graph, expected));
        if (!gains) break;
        EXPECT_LT(search->imbalance(), before);
        ++moves;
      }
      // The header proves that only edges need to be examined.
      if (n <= 7) {
        EXPECT_FALSE(AnyPairGains(graph, search->labels()));
      }
      ++local_optima;
    }
  }
  EXPECT_EQ(local_optima, 300);
  EXPECT_GT(moves, 20);
}

TEST(TwoOptTest, AStopIsNoMove) {
  RandomSignedGraphOptions options;
  options.num_vertices = 8;
  const SignedGraph graph = RandomSignedGraph(options);
  const LocalSearchFactory factory = MakeLocalSearchFactory(graph);
  const std::unique_ptr<LocalSearch> search = factory();
  search->Assign(Labels{0, 1, 2, 3, 4, 5, 6, 7});
  SearchControl control;
  control.RequestStop();
  TwoOpt two_opt(graph);
  EXPECT_FALSE(two_opt.Improve(0, &control, search.get()));
  EXPECT_EQ(search->labels(), (Labels{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace warpclust
