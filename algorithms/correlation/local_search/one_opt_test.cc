// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/local_search/one_opt.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/correlation/local_search/local_search.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/naive_starts.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/machine/cpu_features.h"
#include "base/numbers/random.h"
#include "eval/imbalance.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

Labels RandomLabels(int32_t n, int32_t num_labels, Random* random) {
  Labels labels(n);
  for (int32_t& label : labels) {
    label = static_cast<int32_t>(random->Below(num_labels));
  }
  return labels;
}

struct Case {
  std::string name;
  SignedGraph graph;
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const int32_t n : {1, 2, 5, 31, 32, 33, 64, 65, 100}) {
    for (const int density : {4, 30, 100}) {
      for (const int negative : {0, 20, 50, 80, 100}) {
        for (const int64_t max_weight :
             {int64_t{1}, int64_t{3}, int64_t{70000}, int64_t{1} << 40}) {
          RandomSignedGraphOptions options;
          options.num_vertices = n;
          options.density = density;
          options.negative = negative;
          options.parallel = 10;
          options.max_weight = max_weight;
          options.seed = cases.size();
          cases.push_back({absl::StrCat("n ", n, " density ", density,
                                        " negative ", negative, " weight ",
                                        max_weight, " seed ", cases.size()),
                           RandomSignedGraph(options)});
        }
      }
    }
  }
  return cases;
}

// Descends by one kind of search, which must make the moves of the naive
// descent and report its imbalance.
void ExpectSameMoves(const SignedGraph& graph,
                     const LocalSearchFactory& factory, const Labels& labels,
                     int32_t first, const std::vector<bool>& visited) {
  Labels naive = labels;
  const std::vector<NaiveMove> moves =
      NaiveOneOpt(graph, first, visited, &naive);

  const std::unique_ptr<LocalSearch> search = factory();
  search->Assign(labels);
  EXPECT_EQ(search->imbalance(),
            ComputeSignedBalance(graph, labels)->imbalance);
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    if (visited[v]) search->Mark(v);
  }
  EXPECT_TRUE(search->Descend(first, nullptr));
  EXPECT_EQ(search->labels(), naive);
  EXPECT_EQ(search->imbalance(), ComputeSignedBalance(graph, naive)->imbalance);

  // Step by step: the same moves made by hand cost the same.
  search->Assign(labels);
  for (const NaiveMove& move : moves) {
    const int64_t before = search->imbalance();
    std::vector<int64_t> bounds;
    search->BoundBestGains(&bounds);
    const int64_t gain = search->BestGain(move.vertex);
    const int64_t change = search->Move(move.vertex, move.label, /*mark=*/true);
    EXPECT_EQ(gain, -change);
    EXPECT_GE(bounds[move.vertex], gain);
    EXPECT_EQ(before + change, search->imbalance());
    EXPECT_EQ(search->imbalance(),
              ComputeSignedBalance(graph, search->labels())->imbalance);
    EXPECT_LT(change, 0);
  }
  EXPECT_EQ(search->labels(), naive);
}

class DescentTest : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override { SetSimdLevelLimitForTesting(GetParam()); }
  void TearDown() override { SetSimdLevelLimitForTesting(SimdLevel::kAvx512); }
};

INSTANTIATE_TEST_SUITE_P(Levels, DescentTest,
                         testing::Values(SimdLevel::kBaseline,
                                         SimdLevel::kAvx2));

TEST_P(DescentTest, MakesTheMovesOfFullSweeps) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.name);
    const int32_t n = c.graph.num_vertices();
    Random random(7);
    for (const LocalSearchKind kind :
         {LocalSearchKind::kSparse, LocalSearchKind::kDense}) {
      const LocalSearchFactory factory = MakeLocalSearchFactory(c.graph, kind);
      for (const int32_t num_labels : {1, std::max(1, n / 8), n}) {
        const Labels labels = RandomLabels(n, num_labels, &random);
        const int32_t first = static_cast<int32_t>(random.Below(n));
        std::vector<bool> all(n, true);
        ExpectSameMoves(c.graph, factory, labels, first, all);
        std::vector<bool> some(n, false);
        for (int32_t v = 0; v < n; ++v) some[v] = random.Below(4) == 0;
        ExpectSameMoves(c.graph, factory, labels, first, some);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// With several threads, the vertices of long rows that gain are found first.
TEST(SparseDescentTest, ThreadsDoNotShow) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 60 + static_cast<int32_t>(3 * seed);
    options.density = 50;
    options.max_weight = 1 + static_cast<int64_t>(seed % 3);
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    const int32_t n = graph.num_vertices();
    Random random(seed);
    Labels start = RandomLabels(n, n, &random);
    Labels expected;
    for (const int threads : {1, 2, 3}) {
      const std::unique_ptr<LocalSearch> search =
          MakeLocalSearchFactory(graph, LocalSearchKind::kSparse, threads)();
      // The second descent starts from an optimum with two vertices swapped.
      Labels labels = start;
      for (int descent = 0; descent < 2; ++descent) {
        search->Assign(labels);
        search->MarkAll(nullptr);
        search->Descend(static_cast<int32_t>(seed) % n, nullptr);
        labels = search->labels();
        if (descent == 0) std::swap(labels[0], labels[n / 2]);
      }
      EXPECT_EQ(search->imbalance(), Imbalance(graph, labels));
      if (threads == 1) expected = labels;
      EXPECT_EQ(labels, expected);
    }
  }
}

// Each reading of the clock is a second later than the one before. Each thread
// stops looking for gains when it sees the end, and all that may gain are
// marked.
TEST(OneOptTest, MarkingNoticesAStop) {
  RandomSignedGraphOptions options;
  options.num_vertices = 1200;
  options.density = 100;
  const SignedGraph graph = RandomSignedGraph(options);
  Random random(1);
  const Labels start =
      RandomLabels(options.num_vertices, options.num_vertices, &random);
  constexpr int kThreads = 3;
  const std::unique_ptr<LocalSearch> search =
      MakeLocalSearchFactory(graph, LocalSearchKind::kSparse, kThreads)();
  search->Assign(start);
  search->MarkAll(nullptr);
  search->Descend(0, nullptr);
  const Labels expected = search->labels();
  std::atomic<int> readings = 0;
  const SearchControl control(1, [&readings] { return ++readings; });
  search->Assign(start);
  search->MarkAll(&control);
  EXPECT_GE(readings, 1);
  EXPECT_LE(readings, kThreads);
  search->Descend(0, nullptr);
  EXPECT_EQ(search->labels(), expected);
}

TEST_P(DescentTest, UndoRestoresPartitionAndSums) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(c.name);
    const int32_t n = c.graph.num_vertices();
    if (n < 3) continue;
    for (const LocalSearchKind kind :
         {LocalSearchKind::kSparse, LocalSearchKind::kDense}) {
      const LocalSearchFactory factory = MakeLocalSearchFactory(c.graph, kind);
      const std::unique_ptr<LocalSearch> search = factory();
      Random random(11);
      Labels best = RandomLabels(n, n, &random);
      search->Assign(best);
      search->MarkAll(nullptr);
      search->Descend(0, nullptr);
      best = search->labels();
      search->Keep();
      const int64_t imbalance = search->imbalance();
      for (int step = 0; step < 5; ++step) {
        for (int i = 0; i < 4; ++i) {
          const int32_t v = static_cast<int32_t>(random.Below(n));
          const int32_t label = static_cast<int32_t>(random.Below(n));
          if (label != search->labels()[v]) search->Move(v, label, true);
        }
        search->Descend(static_cast<int32_t>(random.Below(n)), nullptr);
        EXPECT_EQ(search->imbalance(), Imbalance(c.graph, search->labels()));
        search->Undo();
        EXPECT_EQ(search->labels(), best);
        EXPECT_EQ(search->imbalance(), imbalance);
      }
      // Nothing is marked, and sums are right: no vertex can gain.
      search->MarkAll(nullptr);
      search->Descend(0, nullptr);
      EXPECT_EQ(search->labels(), best);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(OneOptTest, OneObjectServesManyCalls) {
  RandomSignedGraphOptions options;
  options.num_vertices = 60;
  for (options.density = 5; options.density <= 100; options.density += 19) {
    options.seed = options.density;
    SCOPED_TRACE(options.seed);
    const SignedGraph graph = RandomSignedGraph(options);
    OneOpt one_opt(graph);
    Random random(3);
    for (int call = 0; call < 10; ++call) {
      Labels labels = RandomLabels(60, 1 + call * 6, &random);
      Labels naive = labels;
      NaiveOneOpt(graph, call, std::vector<bool>(60, true), &naive);
      const int64_t before = Imbalance(graph, labels);
      const int64_t change = one_opt.Descend(call, &labels);
      EXPECT_EQ(labels, naive);
      EXPECT_EQ(before + change, Imbalance(graph, labels));

      // The next call finds a partition that is nearly this one.
      for (int i = 0; i < 5; ++i) {
        labels[random.Below(60)] = static_cast<int32_t>(random.Below(60));
      }
      naive = labels;
      NaiveOneOpt(graph, 59 - call, std::vector<bool>(60, true), &naive);
      one_opt.Descend(59 - call, &labels);
      EXPECT_EQ(labels, naive);
    }
  }
}

TEST(OneOptTest, NoVerticesNoMoves) {
  const SignedGraph graph;
  OneOpt one_opt(graph);
  Labels labels;
  EXPECT_EQ(one_opt.Descend(0, &labels), 0);
  EXPECT_TRUE(labels.empty());
}

// A cluster whose sum is 0 is better than a new one if the vertex has a
// positive edge to it; otherwise it is no candidate.
TEST(OneOptTest, ZeroSums) {
  // 0 is with 1 and dislikes it. It has +1 and -1 to the cluster of 3 and 4,
  // and nothing to that of 2.
  const SignedGraph graph =
      *BuildSignedGraph(5, {{0, 1, -1}, {0, 3, 1}, {0, 4, -1}, {3, 4, 2}});
  for (const LocalSearchKind kind :
       {LocalSearchKind::kSparse, LocalSearchKind::kDense}) {
    const LocalSearchFactory factory = MakeLocalSearchFactory(graph, kind);
    const std::unique_ptr<LocalSearch> search = factory();
    search->Assign(Labels{1, 1, 0, 4, 4});
    search->MarkAll(nullptr);
    search->Descend(0, nullptr);
    EXPECT_EQ(search->labels(), (Labels{4, 1, 0, 4, 4}));
  }
}

}  // namespace
}  // namespace warpclust
