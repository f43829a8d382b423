// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

class AnnealingCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU";
  }
};

SignedGraph MakeGraph(uint64_t seed, int32_t n, int density,
                      int64_t largest_weight) {
  RandomSignedGraphOptions options;
  options.num_vertices = n;
  options.density = density;
  options.parallel = 5;
  options.max_weight = largest_weight;
  options.seed = seed;
  return RandomSignedGraph(options);
}

std::vector<AnnealingChain> MakeChains(const SignedGraph& graph, uint64_t seed,
                                       int count, int32_t sweeps,
                                       double temperature) {
  std::vector<AnnealingChain> chains(count);
  const int32_t n = graph.num_vertices();
  for (int c = 0; c < count; ++c) {
    Random random(seed, c);
    chains[c].key = random.Next();
    chains[c].num_sweeps = sweeps;
    chains[c].first_temperature = temperature * (1 + c % 3);
    chains[c].last_temperature = temperature / 20;
    for (int32_t v = 0; v < n; ++v) {
      chains[c].labels.push_back(
          c % 2 == 0 ? v : static_cast<int32_t>(random.Below(n)));
    }
  }
  return chains;
}

// Both devices make the same moves, and the changes they report are right.
void ExpectSame(const SignedGraph& graph,
                const std::vector<AnnealingChain>& start) {
  const AnnealingPlan plan = MakeAnnealingPlan(graph);
  std::vector<AnnealingChain> expected = start;
  SearchControl control;
  internal::RunAnnealingChainsCpu(plan, internal::AnnealingEngine::kAuto, 0,
                                  control, absl::MakeSpan(expected));
  // By a block per chain, and by all blocks.
  for (const int64_t shared_entries :
       {std::numeric_limits<int64_t>::max(), int64_t{0}}) {
    std::vector<AnnealingChain> chains = start;
    const absl::Status status = internal::RunAnnealingChainsCuda(
        plan, 2, control, absl::MakeSpan(chains), shared_entries);
    ASSERT_TRUE(status.ok()) << status;
    for (size_t c = 0; c < chains.size(); ++c) {
      SCOPED_TRACE(absl::StrCat("chain ", c, ", shared from ", shared_entries));
      EXPECT_TRUE(chains[c].finished);
      EXPECT_EQ(chains[c].labels, expected[c].labels);
      EXPECT_EQ(chains[c].change, expected[c].change);
      EXPECT_EQ(Imbalance(graph, chains[c].labels) -
                    Imbalance(graph, start[c].labels),
                chains[c].change);
    }
  }
}

TEST_F(AnnealingCudaTest, EqualsTheCpu) {
  struct Case {
    int32_t n;
    int density;
    int64_t largest;
  };
  for (const Case& c :
       {Case{1, 100, 1}, Case{2, 100, 1}, Case{31, 50, 1}, Case{32, 90, 3},
        Case{33, 10, 1}, Case{255, 60, 1}, Case{256, 7, 1}, Case{257, 30, 9},
        Case{600, 80, 1}, Case{700, 3, 4}, Case{3000, 1, 1},
        Case{300, 50, int64_t{1} << 40}, Case{2048, 20, 1}, Case{2049, 8, 1},
        Case{900, 2, int64_t{1} << 45}}) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      if (!TakesCase()) continue;
      SCOPED_TRACE(absl::StrCat("n ", c.n, " density ", c.density, " largest ",
                                c.largest, " seed ", seed));
      const SignedGraph graph = MakeGraph(seed, c.n, c.density, c.largest);
      ExpectSame(graph, MakeChains(graph, seed, 5, 40,
                                   static_cast<double>(c.largest)));
    }
  }
}

TEST_F(AnnealingCudaTest, HubsAndIsolatedVertices) {
  // Two hubs of 5,000 and 3,000 neighbors, hundreds of long rows, and vertices
  // without edges.
  std::vector<SignedEdge> edges;
  Random random(7);
  for (int32_t v = 2; v < 5002; ++v) edges.push_back({0, v, v % 3 ? 1 : -1});
  for (int32_t v = 2; v < 3002; ++v) edges.push_back({1, v, v % 2 ? 1 : -1});
  for (int32_t u = 10; u < 200; ++u) {
    for (int32_t v = u + 1; v < 400; v += 3) {
      edges.push_back({u, v, random.Below(2) == 0 ? 1 : -1});
    }
  }
  const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(5100, edges);
  ASSERT_TRUE(graph.ok()) << graph.status();
  ExpectSame(*graph, MakeChains(*graph, 3, 7, 30, 1.5));
}

// Classes of more positions than a block takes.
TEST_F(AnnealingCudaTest, LargeClasses) {
  for (const int64_t largest : {int64_t{1}, int64_t{1} << 40}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(largest);
    SignedGraph graph = PlantedSignedGraph(60000, 50, 15, 2);
    for (int64_t& weight : graph.weights) weight *= largest;
    ExpectSame(graph,
               MakeChains(graph, 2, 2, 12, 1.5 * static_cast<double>(largest)));
  }
}

TEST_F(AnnealingCudaTest, ManyChainsOfDifferentLength) {
  const SignedGraph graph = MakeGraph(5, 120, 40, 1);
  std::vector<AnnealingChain> chains = MakeChains(graph, 5, 300, 60, 2);
  for (size_t c = 0; c < chains.size(); ++c) {
    chains[c].num_sweeps = static_cast<int32_t>(c / 40);
  }
  ExpectSame(graph, chains);
}

TEST_F(AnnealingCudaTest, LabelsThatRunOutAreRenumbered) {
  if (CaseShare() > 1) GTEST_SKIP() << "4 * 10^9 moves";
  // 65,537 vertices use up 2^32 labels after about 65,000 sweeps.
  std::vector<SignedEdge> edges;
  for (int32_t v = 0; v < 65536; ++v) edges.push_back({v, v + 1, 1});
  for (int32_t v = 0; v < 65535; ++v) edges.push_back({v, v + 2, -1});
  const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(65537, edges);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const AnnealingPlan plan = MakeAnnealingPlan(*graph);
  std::vector<AnnealingChain> chains = MakeChains(*graph, 1, 1, 66000, 1);
  const int64_t before = Imbalance(*graph, chains[0].labels);
  SearchControl control;
  ASSERT_TRUE(
      internal::RunAnnealingChainsCuda(plan, 1, control, absl::MakeSpan(chains))
          .ok());
  EXPECT_EQ(Imbalance(*graph, chains[0].labels), before + chains[0].change);
}

TEST_F(AnnealingCudaTest, LittleMemoryIsASmallerBatchOrAStatus) {
  const SignedGraph graph = MakeGraph(9, 500, 50, 1);
  const AnnealingPlan plan = MakeAnnealingPlan(graph);
  const std::vector<AnnealingChain> start = MakeChains(graph, 9, 20, 10, 2);
  std::vector<AnnealingChain> expected = start;
  SearchControl control;
  ASSERT_TRUE(internal::RunAnnealingChainsCuda(plan, 1, control,
                                               absl::MakeSpan(expected))
                  .ok());
  std::vector<AnnealingChain> chains = start;
  SetDeviceMemoryLimit(12 << 20);
  absl::Status status = internal::RunAnnealingChainsCuda(
      plan, 1, control, absl::MakeSpan(chains));
  EXPECT_TRUE(status.ok()) << status;
  SetDeviceMemoryLimit(1 << 20);
  std::vector<AnnealingChain> none = start;
  status =
      internal::RunAnnealingChainsCuda(plan, 1, control, absl::MakeSpan(none));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  SetDeviceMemoryLimit(-1);
  for (size_t c = 0; c < chains.size(); ++c) {
    EXPECT_EQ(chains[c].labels, expected[c].labels);
  }
}

TEST_F(AnnealingCudaTest, AStoppedRunKeepsPartitions) {
  for (int density : {2, 60}) {
    const SignedGraph graph = MakeGraph(11, 400, density, 1);
    const AnnealingPlan plan = MakeAnnealingPlan(graph);
    std::vector<AnnealingChain> chains = MakeChains(graph, 11, 3, 1000000, 2);
    const int64_t before = Imbalance(graph, chains[0].labels);
    SearchControl control;
    control.RequestStop();
    ASSERT_TRUE(internal::RunAnnealingChainsCuda(plan, 1, control,
                                                 absl::MakeSpan(chains))
                    .ok());
    EXPECT_FALSE(chains[0].finished);
    EXPECT_EQ(Imbalance(graph, chains[0].labels), before + chains[0].change);
  }
}

// Each reading of the clock is a second later than the one before.
TEST_F(AnnealingCudaTest, EveryTimeLimitKeepsPartitions) {
  for (const int density : {2, 60}) {
    const SignedGraph graph = MakeGraph(13, 400, density, 1);
    const AnnealingPlan plan = MakeAnnealingPlan(graph);
    const std::vector<AnnealingChain> start = MakeChains(graph, 13, 3, 400, 2);
    for (int limit = 1; limit < 60; limit += 1 + limit / 4) {
      SCOPED_TRACE(limit);
      int64_t readings = 0;
      const SearchControl control(limit, [&readings] { return ++readings; });
      std::vector<AnnealingChain> chains = start;
      ASSERT_TRUE(internal::RunAnnealingChainsCuda(plan, 1, control,
                                                   absl::MakeSpan(chains))
                      .ok());
      EXPECT_LT(readings, limit + 10);
      for (size_t c = 0; c < chains.size(); ++c) {
        EXPECT_EQ(Imbalance(graph, chains[c].labels),
                  Imbalance(graph, start[c].labels) + chains[c].change);
      }
    }
  }
}

TEST_F(AnnealingCudaTest, LittleMemory) {
  for (const int density : {50, 2}) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(density);
    const SignedGraph graph = MakeGraph(12, 500, density, 1);
    const AnnealingPlan plan = MakeAnnealingPlan(graph);
    const std::vector<AnnealingChain> start =
        MakeChains(graph, 12, static_cast<int>(ShareOf(40, 10)),
                   static_cast<int32_t>(ShareOf(10, 1)), 2);
    ExpectLittleMemoryHolds(
        // Most of the memory that a sparse graph needs is its own.
        "annealing of 500 vertices", density > 10 ? 4 : 1,
        [&]() -> absl::StatusOr<std::vector<AnnealingChain>> {
          std::vector<AnnealingChain> chains = start;
          SearchControl control;
          const absl::Status status = internal::RunAnnealingChainsCuda(
              plan, 1, control, absl::MakeSpan(chains));
          if (!status.ok()) return status;
          return chains;
        },
        [](const auto& a, const auto& b) {
          for (size_t c = 0; c < a.size(); ++c) {
            if (a[c].labels != b[c].labels || a[c].change != b[c].change) {
              return false;
            }
          }
          return a.size() == b.size();
        });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace warpclust
