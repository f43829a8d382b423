// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The way of large graphs (ExceedsCaches), which no test could afford at the
// size from which it is taken, in small ones: the order of vertices by
// clusters, joins in rounds, visits by the bit width of degrees, few passes.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/annealing_recombination.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

CorrelationResult Solve(const SignedGraph& graph, int threads, int64_t rounds,
                        int64_t large_entries,
                        SearchControl* control = nullptr) {
  CorrelationOptions options;
  options.iterations = rounds;
  options.device = Device::kCpu;
  options.num_threads = threads;
  const absl::StatusOr<CorrelationResult> result =
      AnnealAndRecombine(graph, options, control, nullptr, large_entries);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return CorrelationResult();
  EXPECT_EQ(Imbalance(graph, result->labels), result->imbalance);
  Labels canonical = result->labels;
  EXPECT_EQ(MakeCanonical(&canonical), result->num_clusters);
  EXPECT_EQ(canonical, result->labels);
  return *result;
}

TEST(LargeGraphTest, FindsTheOptimumOfRandomGraphs) {
  for (uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    const SignedGraph graph = TinySignedGraph(seed);
    EXPECT_EQ(Solve(graph, 1, 0, 0).imbalance, LeastImbalance(graph));
  }
}

TEST(LargeGraphTest, ThreadsDoNotShow) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const SignedGraph graph = PlantedSignedGraph(
        1500, seed % 2 == 0 ? 10 : 25, 4 + static_cast<int>(seed), seed);
    const CorrelationResult one = Solve(graph, 1, 2, 2048);
    EXPECT_FALSE(one.stopped);
    // It is another way.
    EXPECT_NE(one.labels, Solve(graph, 1, 2, kNever).labels);
    for (const int threads : {2, 5}) {
      EXPECT_EQ(Solve(graph, threads, 2, 2048).labels, one.labels);
    }
  }
}

TEST(LargeGraphTest, IsAsGoodAsTheOtherWay) {
  int64_t large = 0;
  int64_t small = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    constexpr int32_t kVertices = 1000;
    constexpr int32_t kClusterSize = 20;
    const SignedGraph graph =
        PlantedSignedGraph(kVertices, kClusterSize, 8, seed);
    Labels planted(kVertices);
    for (int32_t v = 0; v < kVertices; ++v) planted[v] = v / kClusterSize;
    const int64_t found = Solve(graph, 2, 1, 2048).imbalance;
    EXPECT_LE(found, Imbalance(graph, planted));
    large += found;
    small += Solve(graph, 2, 1, kNever).imbalance;
  }
  EXPECT_LE(large, small + small / 200);
}

TEST(LargeGraphTest, RanksDoNotShow) {
  const SignedGraph graph = PlantedSignedGraph(1200, 20, 7, 3);
  const Labels expected = Solve(graph, 1, 2, 2048).labels;
  CorrelationOptions options;
  options.iterations = 2;
  options.device = Device::kCpu;
  options.num_threads = 1;
  const absl::Status status =
      RunOnThreads(3, [&](Communicator& ranks) -> absl::Status {
        const absl::StatusOr<CorrelationResult> result =
            AnnealAndRecombine(graph, options, nullptr, &ranks, 2048);
        if (!result.ok()) return result.status();
        EXPECT_EQ(result->labels, expected);
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
}

// Each reading of the clock is a second later than the one before. So the
// limits end the search in every one of its steps. The graph is large enough
// for steps to ask at all.
TEST(LargeGraphTest, EveryTimeLimitKeepsPartitions) {
  const SignedGraph graph = PlantedSignedGraph(6000, 30, 20, 5);
  const auto solve = [&](int limit, int threads, int64_t* readings) {
    std::atomic<int64_t> clock = 0;
    SearchControl control(limit, [&clock] { return ++clock; });
    const CorrelationResult result = Solve(graph, threads, 1, 2048, &control);
    *readings = clock;
    return result;
  };
  int64_t all = 0;
  EXPECT_FALSE(solve(1 << 30, 1, &all).stopped);
  ASSERT_GT(all, 60);
  const int64_t of_one_cluster =
      Imbalance(graph, Labels(graph.num_vertices(), 0));
  for (int limit = 1; limit < all; limit += 1 + limit / 8) {
    SCOPED_TRACE(limit);
    int64_t readings = 0;
    const CorrelationResult result = solve(limit, limit % 3 + 1, &readings);
    // How often the clock is read depends on the threads.
    EXPECT_EQ(result.stopped, readings >= limit);
    EXPECT_LE(result.imbalance, of_one_cluster);
  }
}

}  // namespace
}  // namespace warpclust
