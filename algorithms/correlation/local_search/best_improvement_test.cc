// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/best_improvement.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/strings/str_cat.h"
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

constexpr LocalSearchKind kKinds[] = {LocalSearchKind::kSparse,
                                      LocalSearchKind::kDense};

// The least I(P) after a move of one vertex to any label.
int64_t LeastAfterOneMove(const SignedGraph& graph, const Labels& labels) {
  int64_t least = NaiveImbalance(graph, labels);
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int32_t label = 0; label < graph.num_vertices(); ++label) {
      Labels after = labels;
      after[v] = label;
      least = std::min(least, NaiveImbalance(graph, after));
    }
  }
  return least;
}

TEST(BestImprovementTest, MakesTheMovesOfTheNaiveSearch) {
  int32_t cases = 0;
  for (const int32_t n : {1, 2, 3, 8, 31, 32, 33, 50}) {
    for (const int density : {5, 40, 100}) {
      for (const int negative : {0, 30, 50, 80, 100}) {
        RandomSignedGraphOptions options;
        options.num_vertices = n;
        options.density = density;
        options.negative = negative;
        options.parallel = 15;
        // Weights of 1 have many ties.
        options.max_weight = cases % 3 == 0   ? 1
                             : cases % 3 == 1 ? 4
                                              : int64_t{1} << 40;
        options.seed = ++cases;
        const SignedGraph graph = RandomSignedGraph(options);
        for (const LocalSearchKind kind : kKinds) {
          for (const int neighborhood : {1, 2}) {
            if (neighborhood == 2 && n > 8) continue;
            SCOPED_TRACE(absl::StrCat("seed ", options.seed, " n ", n,
                                      " neighborhood ", neighborhood));
            const std::unique_ptr<LocalSearch> search =
                MakeLocalSearchFactory(graph, kind)();
            BestImprovement descent(graph, neighborhood);
            Random random(options.seed);
            for (const int32_t num_labels : {1, (n + 3) / 4, n}) {
              Labels labels(n);
              for (int32_t& label : labels) {
                label = static_cast<int32_t>(random.Below(num_labels));
              }
              search->Assign(labels);
              NaiveBestImprovement(graph, neighborhood, &labels);
              EXPECT_TRUE(descent.Descend(nullptr, search.get()));
              ASSERT_EQ(search->labels(), labels);
              EXPECT_EQ(search->imbalance(), NaiveImbalance(graph, labels));
              if (n <= 8) {
                EXPECT_EQ(search->imbalance(),
                          LeastAfterOneMove(graph, labels));
              }
            }
          }
        }
      }
    }
  }
}

// The first round makes the best of all moves, not just an improving one.
TEST(BestImprovementTest, TheBestMoveComesFirst) {
  // 0 gains 1 by joining 1; 2 gains 5 by joining 3, which leaves 1 with 4.
  const SignedGraph graph =
      *BuildSignedGraph(5, {{0, 1, 1}, {2, 3, 5}, {1, 4, 2}, {0, 4, -9}});
  const Labels expected = {0, 4, 3, 3, 4};
  for (const LocalSearchKind kind : kKinds) {
    const std::unique_ptr<LocalSearch> search =
        MakeLocalSearchFactory(graph, kind)();
    search->Assign(Labels{0, 1, 2, 3, 4});
    BestImprovement descent(graph, /*neighborhood=*/1);
    EXPECT_TRUE(descent.Descend(nullptr, search.get()));
    EXPECT_EQ(search->labels(), expected);
  }
}

TEST(BestImprovementTest, NoVertices) {
  const SignedGraph graph;
  for (const int neighborhood : {1, 2}) {
    const std::unique_ptr<LocalSearch> search = MakeLocalSearchFactory(graph)();
    BestImprovement descent(graph, neighborhood);
    EXPECT_TRUE(descent.Descend(nullptr, search.get()));
  }
}

TEST(BestImprovementTest, AStopEndsIt) {
  RandomSignedGraphOptions options;
  options.num_vertices = 300;
  const SignedGraph graph = RandomSignedGraph(options);
  const std::unique_ptr<LocalSearch> search = MakeLocalSearchFactory(graph)();
  Labels labels(300);
  for (int32_t v = 0; v < 300; ++v) labels[v] = v;
  search->Assign(labels);
  SearchControl control;
  control.RequestStop();
  BestImprovement descent(graph, /*neighborhood=*/1);
  EXPECT_FALSE(descent.Descend(&control, search.get()));
  EXPECT_EQ(search->imbalance(), NaiveImbalance(graph, search->labels()));
}

}  // namespace
}  // namespace warpclust
