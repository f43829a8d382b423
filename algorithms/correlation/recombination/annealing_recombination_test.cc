// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/annealing_recombination.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/contraction/contraction.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/recombination/recombination.h"
#include "algorithms/correlation/recombination/start_portfolio.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/communicator/communicator.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

CorrelationResult Solve(const SignedGraph& graph, uint64_t seed, int threads,
                        int64_t rounds) {
  CorrelationOptions options;
  options.seed = seed;
  options.iterations = rounds;
  options.device = Device::kCpu;
  options.num_threads = threads;
  SearchControl control;
  const absl::StatusOr<CorrelationResult> result =
      AnnealAndRecombine(graph, options, &control);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return CorrelationResult();
  // The result describes its partition correctly.
  Labels canonical = result->labels;
  EXPECT_EQ(MakeCanonical(&canonical), result->num_clusters);
  EXPECT_EQ(canonical, result->labels);
  EXPECT_EQ(Imbalance(graph, result->labels), result->imbalance);
  EXPECT_EQ(control.best(), result->imbalance);
  EXPECT_FALSE(result->stopped);
  return *result;
}

TEST(AnnealAndRecombineTest, FindsTheOptimumOfAllGraphsOfUpToFiveVertices) {
  for (int32_t n = 0; n <= 5; ++n) {
    const int num_pairs = n * (n - 1) / 2;
    int64_t num_graphs = 1;
    for (int i = 0; i < num_pairs; ++i) num_graphs *= 3;
    for (int64_t code = 0; code < num_graphs; ++code) {
      std::vector<SignedEdge> edges;
      int64_t rest = code;
      for (int32_t u = 0; u < n; ++u) {
        for (int32_t v = u + 1; v < n; ++v, rest /= 3) {
          if (rest % 3 != 0) edges.push_back({u, v, rest % 3 == 1 ? 1 : -1});
        }
      }
      const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(n, edges);
      ASSERT_TRUE(graph.ok());
      ASSERT_EQ(Solve(*graph, 1, 1, 2).imbalance, LeastImbalance(*graph))
          << "n " << n << ", graph " << code;
    }
  }
}

TEST(AnnealAndRecombineTest, FindsTheOptimumOfRandomGraphs) {
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    const SignedGraph graph = TinySignedGraph(seed);
    EXPECT_EQ(Solve(graph, seed, 1, 0).imbalance, LeastImbalance(graph));
  }
}

TEST(AnnealAndRecombineTest, AlternativesAreGoodAndDiffer) {
  RandomSignedGraphOptions options;
  options.num_vertices = 120;
  options.density = 40;
  const SignedGraph graph = RandomSignedGraph(options);
  const CorrelationResult result = Solve(graph, 5, 2, 3);
  ASSERT_FALSE(result.alternatives.empty());
  std::vector<Labels> seen = {result.labels};
  int64_t before = result.imbalance;
  for (const auto& [labels, imbalance] : result.alternatives) {
    EXPECT_EQ(Imbalance(graph, labels), imbalance);
    EXPECT_GE(imbalance, before);
    EXPECT_LE(imbalance, result.imbalance + result.imbalance / 100);
    before = imbalance;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), labels), 0);
    seen.push_back(labels);
  }
}

TEST(AnnealAndRecombineTest, ThreadsDoNotShow) {
  for (const int density : {4, 50}) {
    RandomSignedGraphOptions options;
    options.num_vertices = 150;
    options.density = density;
    options.max_weight = 3;
    const SignedGraph graph = RandomSignedGraph(options);
    const CorrelationResult one = Solve(graph, 5, 1, 5);
    for (int threads : {2, 3}) {
      const CorrelationResult more = Solve(graph, 5, threads, 5);
      EXPECT_EQ(more.labels, one.labels);
      EXPECT_EQ(more.starts, one.starts);
    }
  }
}

TEST(AnnealAndRecombineTest, ThreadsDoNotShowInLargerGraphs) {
  RandomSignedGraphOptions options;
  options.num_vertices = 6000;
  options.density = 2;
  options.negative = 30;
  const SignedGraph graph = RandomSignedGraph(options);
  const CorrelationResult one = Solve(graph, 5, 1, 1);
  EXPECT_EQ(Solve(graph, 5, 5, 1).labels, one.labels);
}

TEST(AnnealAndRecombineTest, ABalancedNetworkIsProvenOptimal) {
  // Three groups, all friends inside and enemies outside.
  std::vector<SignedEdge> edges;
  for (int32_t u = 0; u < 30; ++u) {
    for (int32_t v = u + 1; v < 30; ++v) {
      edges.push_back({u, v, u % 3 == v % 3 ? 1 : -1});
    }
  }
  const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(30, edges);
  ASSERT_TRUE(graph.ok());
  const CorrelationResult result = Solve(*graph, 1, 1, 5);
  EXPECT_EQ(result.imbalance, 0);
  EXPECT_EQ(result.num_clusters, 3);
  EXPECT_TRUE(result.proven_optimal);
}

TEST(AnnealAndRecombineTest, AStopKeepsTheBestPartition) {
  RandomSignedGraphOptions random;
  random.num_vertices = 200;
  const SignedGraph graph = RandomSignedGraph(random);
  CorrelationOptions options;
  options.iterations = 1000000;
  options.no_improvement = 1000000;
  options.device = Device::kCpu;
  SearchControl control;
  control.RequestStop();
  const absl::StatusOr<CorrelationResult> result =
      AnnealAndRecombine(graph, options, &control);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->stopped);
  EXPECT_EQ(Imbalance(graph, result->labels), result->imbalance);
}

TEST(RecombineTest, NoCandidateGetsWorse) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions random_options;
    random_options.num_vertices = 60;
    random_options.density = 20;
    random_options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(random_options);
    std::vector<Candidate> candidates(4);
    Random random(seed);
    for (Candidate& candidate : candidates) {
      for (int32_t v = 0; v < 60; ++v) {
        candidate.labels.push_back(static_cast<int32_t>(random.Below(5)));
      }
      candidate.imbalance = Imbalance(graph, candidate.labels);
    }
    const std::vector<Candidate> before = candidates;
    RecombinationOptions options;
    options.visits = 1200;
    options.first_temperature = 1;
    options.last_temperature = 0.1;
    SingleRank single;
    options.ranks = &single;
    SearchControl control;
    ASSERT_TRUE(Recombine(graph, options, control, &candidates).ok());
    for (size_t i = 0; i < candidates.size(); ++i) {
      EXPECT_LE(candidates[i].imbalance, before[i].imbalance);
      EXPECT_EQ(Imbalance(graph, candidates[i].labels),
                candidates[i].imbalance);
    }
  }
}

// Visits and entries both bound the sweeps. A chain by rows of a small graph
// asks for the time once per sweep.
TEST(RecombineTest, VisitsAndEntriesBoundTheSweeps) {
  constexpr int32_t kVertices = 200;
  // Paths of five friends in a ring of enemies.
  std::vector<SignedEdge> edges;
  Labels paths;
  Labels single(kVertices);
  std::iota(single.begin(), single.end(), 0);
  for (int32_t v = 0; v < kVertices; ++v) {
    const int32_t next = (v + 1) % kVertices;
    edges.push_back(
        {std::min(v, next), std::max(v, next), v / 5 == next / 5 ? 1 : -1});
    paths.push_back(v / 5);
  }
  const SignedGraph graph = *BuildSignedGraph(kVertices, edges);
  const auto sweeps_of = [&](int64_t visits, int64_t entries) {
    std::vector<Candidate> candidates = {{paths, 0},
                                         {single, graph.positive_weight}};
    std::atomic<int64_t> calls = 0;
    SearchControl control(/*seconds=*/1, [&calls] {
      ++calls;
      return 0.0;
    });
    SingleRank ranks;
    RecombinationOptions options;
    options.visits = visits;
    options.entries = entries;
    options.first_temperature = 1;
    options.last_temperature = 0.1;
    options.ranks = &ranks;
    options.num_threads = 1;
    EXPECT_TRUE(Recombine(graph, options, control, &candidates).ok());
    return calls / 2;  // There are two chains, and one pass: 0 is the optimum.
  };
  constexpr int64_t kMany = int64_t{1} << 40;
  constexpr double kOtherCalls = 20;
  EXPECT_NEAR(sweeps_of(kVertices * 900, kMany), 900, kOtherCalls);
  EXPECT_NEAR(sweeps_of(kMany, 2 * kVertices * 700), 700, kOtherCalls);
  EXPECT_NEAR(sweeps_of(kMany, 0), 200, kOtherCalls);
}

TEST(PolishTest, EndsAtALocalOptimumOfMovesAndJoins) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 25;
    options.density = 30;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Labels labels(25);
    std::iota(labels.begin(), labels.end(), 0);
    const int64_t before = Imbalance(graph, labels);
    const int64_t change = Polish(graph, &labels);
    const int64_t after = Imbalance(graph, labels);
    EXPECT_EQ(after, before + change);
    for (int32_t v = 0; v < 25; ++v) {
      for (int32_t c = 0; c < 26; ++c) {
        Labels moved = labels;
        moved[v] = c;
        EXPECT_GE(Imbalance(graph, moved), after);
      }
    }
    for (int32_t a = 0; a < 25; ++a) {
      for (int32_t b = 0; b < a; ++b) {
        Labels joined = labels;
        for (int32_t& label : joined) label = label == a ? b : label;
        EXPECT_GE(Imbalance(graph, joined), after);
      }
    }
  }
}

TEST(PolishTest, JoinsAreNotMissedAfterAPolishedContraction) {
  constexpr int32_t kVertices = 60;
  int moved = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = kVertices;
    options.density = 15;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    Random random(seed);
    Labels group(kVertices);
    std::iota(group.begin(), group.end(), 0);
    for (int i = 0; i < 4; ++i) {
      group[random.Below(kVertices)] = group[random.Below(kVertices)];
    }
    const int32_t num_groups = MakeCanonical(&group);
    Labels of_groups(num_groups);
    std::iota(of_groups.begin(), of_groups.end(), 0);
    Polish(Contract(graph, group, num_groups), &of_groups);
    Labels expected = Expand(group, of_groups);
    Labels labels = expected;
    const int64_t change = Polish(graph, &expected);
    moved += change < 0;
    EXPECT_EQ(Polish(graph, &labels, StepOptions(), /*is_joined=*/true),
              change);
    EXPECT_EQ(labels, expected);
  }
  EXPECT_GT(moved, 0);
  EXPECT_LT(moved, 40);
}

TEST(StartPortfolioTest, MostChainsGoToWhatDidBest) {
  StartPortfolio portfolio;
  for (int64_t r = 0; r < 3; ++r) {
    EXPECT_EQ(portfolio.Choose(r, int64_t{1} << 2 * r).size(),
              size_t{1} << 2 * r);
  }
  for (int i = 0; i < 10; ++i) portfolio.Learn(i, i == 7 ? 5 : 100 + i);
  const std::vector<int> chosen = portfolio.Choose(5, 32);
  EXPECT_GE(std::count(chosen.begin(), chosen.end(), 7), 12);
  // The better half is tried sooner or later, the others are not.
  std::vector<bool> tried(10);
  for (int64_t r = 4; r < 40; ++r) {
    for (int index : portfolio.Choose(r, 16)) tried[index] = true;
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(tried[i], i <= 3 || i == 7) << i;
}

TEST(StartPortfolioTest, OneOfFourChainsGoesToTheBestWhileTheOthersExplore) {
  StartPortfolio portfolio(/*has_initial=*/false, /*explores=*/true);
  for (int i = 0; i < 11; ++i) portfolio.Learn(i, i == 7 ? 5 : 100 + i);
  const std::vector<int> chosen = portfolio.Choose(3, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(chosen[i] == 7, i % 4 == 0) << i;
  EXPECT_EQ(portfolio.strategy(chosen[1]).start, ChainStart::kSingle);
}

}  // namespace
}  // namespace warpclust
