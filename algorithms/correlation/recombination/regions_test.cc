// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/recombination/regions.h"

#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/recombination/polish.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

SignedGraph RandomGraph(int32_t n, int density, uint64_t seed) {
  RandomSignedGraphOptions options;
  options.num_vertices = n;
  options.density = density;
  options.seed = seed;
  return RandomSignedGraph(options);
}

// Clusters of `size` consecutive vertices.
Labels Consecutive(int32_t n, int32_t size) {
  Labels labels(n);
  for (int32_t v = 0; v < n; ++v) labels[v] = v / size;
  return labels;
}

// `count` polished partitions of the graph.
std::vector<Candidate> LocalOptima(const SignedGraph& graph, int count) {
  std::vector<Candidate> candidates(count);
  for (int i = 0; i < count; ++i) {
    candidates[i].labels = Consecutive(graph.num_vertices(), i + 1);
    Polish(graph, &candidates[i].labels);
    candidates[i].imbalance = Imbalance(graph, candidates[i].labels);
  }
  return candidates;
}

std::vector<Candidate> Improve(const SignedGraph& graph,
                               std::vector<Candidate> candidates,
                               int num_threads, SearchControl& control,
                               Communicator* ranks = nullptr) {
  SingleRank single;
  RegionOptions options;
  options.key = 7;
  options.num_regions = 20;
  options.first_temperature = 1;
  options.last_temperature = 0.15;
  options.ranks = ranks == nullptr ? &single : ranks;
  options.num_threads = num_threads;
  EXPECT_TRUE(ImproveRegions(graph, options, control, &candidates).ok());
  return candidates;
}

TEST(DrawRegionTest, HasWholeSmallClustersAndEveryVertexOnce) {
  const SignedGraph graph = RandomGraph(1000, 1, 3);
  const Labels labels = Consecutive(1000, 10);
  for (uint64_t key = 0; key < 50; ++key) {
    const std::vector<int32_t> region = DrawRegion(graph, labels, key * 37);
    const std::set<int32_t> inside(region.begin(), region.end());
    EXPECT_EQ(inside.size(), region.size());
    EXPECT_EQ(inside.count(static_cast<int32_t>(key * 37 % 1000)), 1u);
    EXPECT_GE(region.size(), kRegionVertices);
    // The last cluster completes it.
    EXPECT_LT(region.size(), kRegionVertices + 10);
    for (const int32_t v : region) {
      for (int32_t u = v / 10 * 10; u < v / 10 * 10 + 10; ++u) {
        EXPECT_EQ(inside.count(u), 1u) << u << " beside " << v;
      }
    }
  }
}

TEST(DrawRegionTest, OfOtherLargeClustersHasOnlyNeighbors) {
  const SignedGraph graph = RandomGraph(1000, 1, 4);
  // Ten vertices by themselves beside one large cluster.
  Labels labels(1000, 1);
  for (int32_t v = 0; v < 10; ++v) labels[v] = 0;
  const std::vector<int32_t> region = DrawRegion(graph, labels, 5);
  EXPECT_EQ(region.size(), kRegionVertices);
  // From within, all of it.
  EXPECT_GE(DrawRegion(graph, labels, 500).size(), 990u);
}

TEST(DrawRegionTest, LeavesHubsOutside) {
  // A star, and a ring around its center.
  std::vector<SignedEdge> edges;
  for (int32_t v = 1; v < 100; ++v) {
    edges.push_back({0, v, 1});
    edges.push_back({v, v % 99 + 1, 1});
  }
  const SignedGraph graph = *BuildSignedGraph(100, edges);
  const Labels labels(100, 0);
  EXPECT_TRUE(DrawRegion(graph, labels, 0).empty());
  const std::vector<int32_t> region = DrawRegion(graph, labels, 1);
  EXPECT_EQ(region.size(), 99u);
  EXPECT_EQ(std::set<int32_t>(region.begin(), region.end()).count(0), 0u);
}

TEST(DrawRegionTest, BeginsAtAVertexWithEdges) {
  const SignedGraph graph = *BuildSignedGraph(500, {{3, 400, 1}});
  const Labels labels = Consecutive(500, 1);
  std::set<int32_t> firsts;
  for (uint64_t key = 0; key < 20; ++key) {
    firsts.insert(DrawRegion(graph, labels, key << 32).front());
  }
  EXPECT_EQ(firsts, (std::set<int32_t>{3, 400}));
  EXPECT_TRUE(DrawRegion(*BuildSignedGraph(2, {}), {0, 1}, 1).empty());
}

TEST(ImproveRegionsTest, ImprovesLocalOptimaAndSaysByHowMuch) {
  const SignedGraph graph = RandomGraph(600, 2, 1);
  const std::vector<Candidate> before = LocalOptima(graph, 4);
  SearchControl control;
  const std::vector<Candidate> after = Improve(graph, before, 1, control);
  ASSERT_EQ(after.size(), before.size());
  for (size_t i = 0; i < after.size(); ++i) {
    EXPECT_LT(after[i].imbalance, before[i].imbalance);
    EXPECT_EQ(Imbalance(graph, after[i].labels), after[i].imbalance);
  }
}

TEST(ImproveRegionsTest, ThreadsDoNotShow) {
  const SignedGraph graph = RandomGraph(400, 3, 2);
  const std::vector<Candidate> before = LocalOptima(graph, 5);
  SearchControl control;
  const std::vector<Candidate> one = Improve(graph, before, 1, control);
  const std::vector<Candidate> three = Improve(graph, before, 3, control);
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(three[i].labels, one[i].labels);
  }
}

TEST(ImproveRegionsTest, RanksDoNotShow) {
  const SignedGraph graph = RandomGraph(400, 3, 2);
  const std::vector<Candidate> before = LocalOptima(graph, 5);
  SearchControl control;
  const std::vector<Candidate> alone = Improve(graph, before, 1, control);
  const absl::Status status =
      RunOnThreads(3, [&](Communicator& ranks) -> absl::Status {
        SearchControl own;
        const std::vector<Candidate> shared =
            Improve(graph, before, 1, own, &ranks);
        EXPECT_EQ(shared.size(), alone.size());
        for (size_t i = 0; i < shared.size(); ++i) {
          EXPECT_EQ(shared[i].labels, alone[i].labels);
          EXPECT_EQ(shared[i].imbalance, alone[i].imbalance);
        }
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
}

TEST(ImproveRegionsTest, AStopKeepsTheCandidates) {
  const SignedGraph graph = RandomGraph(300, 3, 5);
  const std::vector<Candidate> before = LocalOptima(graph, 2);
  SearchControl control;
  control.RequestStop();
  const std::vector<Candidate> after = Improve(graph, before, 1, control);
  for (size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i].labels, before[i].labels);
  }
}

}  // namespace
}  // namespace warpclust
