// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/correlation/grasp_ils/multi_start.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/search/search_control.h"
#include "algorithms/correlation/testing/least_imbalance.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "eval/imbalance.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

CorrelationOptions OnCpu(CorrelationMethod method, int num_threads = 1) {
  CorrelationOptions options;
  options.method = method;
  options.device = Device::kCpu;
  options.num_threads = num_threads;
  return options;
}

CorrelationResult Search(const SignedGraph& graph,
                         const CorrelationOptions& options,
                         SearchControl& control) {
  const absl::StatusOr<CorrelationResult> result =
      IsIls(options.method) ? Ils(graph, options, &control)
                            : Grasp(graph, options, &control);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return CorrelationResult();
  // Holds for every result.
  const absl::StatusOr<SignedBalance> balance =
      ComputeSignedBalance(graph, result->labels);
  EXPECT_TRUE(balance.ok()) << balance.status();
  EXPECT_EQ(result->imbalance, balance->imbalance);
  EXPECT_EQ(result->proven_optimal, result->imbalance == graph.constant_cost);
  Labels canonical = result->labels;
  EXPECT_EQ(MakeCanonical(&canonical), result->num_clusters);
  EXPECT_EQ(canonical, result->labels);
  EXPECT_EQ(result->starts, control.starts());
  return *result;
}

CorrelationResult Search(const SignedGraph& graph,
                         const CorrelationOptions& options) {
  SearchControl control;
  return Search(graph, options, control);
}

constexpr CorrelationMethod kMethods[] = {
    CorrelationMethod::kSeqGrasp, CorrelationMethod::kSeqIls,
    CorrelationMethod::kGraspCudaVnd, CorrelationMethod::kIlsCudaVnd};

// All graphs of `n` vertices with weights -1, 0 and 1, up to renaming: vertices
// are in order of the sums of their weights.
void ExpectOptimaOfAllGraphs(int32_t n) {
  const int32_t num_pairs = n * (n - 1) / 2;
  int64_t num_graphs = 1;
  for (int32_t i = 0; i < num_pairs; ++i) num_graphs *= 3;
  int64_t num_searched = 0;
  for (int64_t code = 0; code < num_graphs; ++code) {
    std::vector<SignedEdge> edges;
    std::vector<int64_t> sums(n, 0);
    int64_t digits = code;
    for (int32_t u = 0; u < n; ++u) {
      for (int32_t v = u + 1; v < n; ++v) {
        edges.push_back({u, v, digits % 3 - 1});
        sums[u] += digits % 3 - 1;
        sums[v] += digits % 3 - 1;
        digits /= 3;
      }
    }
    if (!std::is_sorted(sums.begin(), sums.end())) continue;
    ++num_searched;
    const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(n, edges);
    ASSERT_TRUE(graph.ok()) << graph.status();
    const int64_t least = LeastImbalance(*graph);
    for (const CorrelationMethod method : kMethods) {
      CorrelationOptions options = OnCpu(method);
      options.no_improvement = 30;
      options.perturbation_max = 3;
      options.iterations = IsIls(method) ? 3 : 0;
      ASSERT_EQ(Search(*graph, options).imbalance, least)
          << n << " vertices, code " << code;
    }
  }
  EXPECT_GE(num_searched, n < 5 ? 1 : 792);  // Signed graphs of 5 vertices.
}

TEST(GraspIlsTest, OptimaOfAllGraphsOfUpToFourVertices) {
  for (int32_t n = 0; n <= 4; ++n) ExpectOptimaOfAllGraphs(n);
}

TEST(GraspIlsTest, OptimaOfAllGraphsOfFiveVertices) {
  ExpectOptimaOfAllGraphs(5);
}

TEST(GraspIlsTest, OptimaOfRandomGraphs) {
  for (uint64_t seed = 0; seed < 250; ++seed) {
    RandomSignedGraphOptions graph_options;
    graph_options.num_vertices = 5 + static_cast<int32_t>(seed % 5);
    graph_options.density = 40 + static_cast<int>(seed % 7) * 10;
    graph_options.negative = 20 + static_cast<int>(seed % 4) * 20;
    graph_options.parallel = 20;
    graph_options.max_weight = seed % 3 == 0 ? 1 : 1000;
    graph_options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(graph_options);
    const int64_t least = LeastImbalance(graph);
    for (const CorrelationMethod method : kMethods) {
      for (const int neighborhood : {1, 2}) {
        CorrelationOptions options = OnCpu(method);
        options.neighborhood = neighborhood;
        options.seed = seed;
        EXPECT_EQ(Search(graph, options).imbalance, least) << seed;
      }
    }
  }
}

TEST(GraspIlsTest, ThreadsDoNotMatter) {
  for (const int density : {3, 40}) {
    RandomSignedGraphOptions graph_options;
    graph_options.num_vertices = 150;
    graph_options.density = density;
    graph_options.seed = 5;
    const SignedGraph graph = RandomSignedGraph(graph_options);
    for (const CorrelationMethod method : kMethods) {
      CorrelationOptions options = OnCpu(method, 1);
      options.no_improvement = 37;
      const CorrelationResult one = Search(graph, options);
      for (const int num_threads : {2, 3, 16}) {
        options.num_threads = num_threads;
        const CorrelationResult many = Search(graph, options);
        EXPECT_EQ(many.labels, one.labels);
        EXPECT_EQ(many.starts, one.starts);
        EXPECT_FALSE(many.stopped);
      }
    }
  }
}

TEST(GraspIlsTest, GraspEndsAfterStartsWithoutImprovement) {
  RandomSignedGraphOptions graph_options;
  graph_options.num_vertices = 60;
  const SignedGraph graph = RandomSignedGraph(graph_options);
  CorrelationOptions options = OnCpu(CorrelationMethod::kGrasp);

  // Computed here from single starts.
  options.iterations = 1;
  std::vector<int64_t> found;
  for (options.no_improvement = 7;;) {
    SearchControl control;
    options.iterations = static_cast<int64_t>(found.size()) + 1;
    const CorrelationResult result = Search(graph, options, control);
    if (result.starts < options.iterations) break;
    found.push_back(result.imbalance);
  }
  int64_t failures = 0;
  for (size_t i = 1; i < found.size(); ++i) {
    failures = found[i] < found[i - 1] ? 0 : failures + 1;
    EXPECT_EQ(failures == 7, i + 1 == found.size());
  }

  options.iterations = 0;
  const CorrelationResult whole = Search(graph, options);
  EXPECT_EQ(whole.starts, static_cast<int64_t>(found.size()));
  EXPECT_EQ(whole.imbalance, found.back());
  options.no_improvement = 0;  // 400.
  EXPECT_GT(Search(graph, options).starts, 400);
}

TEST(GraspIlsTest, DefaultsAreThePapers) {
  // Section 4 of Levorato et al. 2015; the other tests cover the rest.
  const CorrelationOptions options;
  EXPECT_EQ(options.alpha, 1);
  EXPECT_EQ(options.neighborhood, 1);
  EXPECT_EQ(options.ils_iterations, 5);
  EXPECT_EQ(options.perturbation_max, 30);
}

TEST(GraspIlsTest, IlsMakesTenRestarts) {
  RandomSignedGraphOptions graph_options;
  graph_options.num_vertices = 40;
  const SignedGraph graph = RandomSignedGraph(graph_options);
  CorrelationOptions options = OnCpu(CorrelationMethod::kIls);
  EXPECT_EQ(Search(graph, options).starts, 10);
  options.iterations = 3;
  EXPECT_EQ(Search(graph, options).starts, 3);
}

TEST(GraspIlsTest, NothingLeftToGainEndsTheSearch) {
  // Two balanced camps, and a pair with an edge of each sign, which always
  // costs the smaller of the two.
  const absl::StatusOr<SignedGraph> graph = BuildSignedGraph(
      5, {{0, 1, 1}, {2, 3, 1}, {0, 2, -1}, {1, 3, -1}, {3, 4, 5}, {3, 4, -2}});
  ASSERT_TRUE(graph.ok()) << graph.status();
  for (const CorrelationMethod method : kMethods) {
    const CorrelationResult result = Search(*graph, OnCpu(method));
    EXPECT_EQ(result.imbalance, 2);
    EXPECT_TRUE(result.proven_optimal);
    EXPECT_EQ(result.starts, 1);
    EXPECT_EQ(result.labels, (Labels{0, 0, 1, 1, 1}));
  }
}

TEST(GraspIlsTest, DegenerateGraphs) {
  for (const CorrelationMethod method : kMethods) {
    for (const int num_threads : {1, 2}) {
      const CorrelationOptions options = OnCpu(method, num_threads);
      EXPECT_TRUE(Search(SignedGraph(), options).labels.empty());
      for (const int32_t n : {1, 2, 31, 32, 33}) {
        SCOPED_TRACE(n);
        std::vector<SignedEdge> positive;
        std::vector<SignedEdge> negative;
        for (int32_t v = 1; v < n; ++v) {
          for (int32_t u = 0; u < v; ++u) {
            positive.push_back({u, v, 1});
            negative.push_back({u, v, -1});
          }
        }
        const absl::StatusOr<SignedGraph> none = BuildSignedGraph(n, {});
        // Nothing speaks against one cluster (construction.h).
        EXPECT_EQ(Search(*none, options).num_clusters, 1);
        const absl::StatusOr<SignedGraph> friends =
            BuildSignedGraph(n, positive);
        EXPECT_EQ(Search(*friends, options).num_clusters, 1);
        const absl::StatusOr<SignedGraph> foes = BuildSignedGraph(n, negative);
        EXPECT_EQ(Search(*foes, options).num_clusters, n);
      }
    }
  }
}

TEST(GraspIlsTest, AStoppedSearchReturnsTheBestSoFar) {
  RandomSignedGraphOptions graph_options;
  graph_options.num_vertices = 300;
  graph_options.density = 10;
  const SignedGraph graph = RandomSignedGraph(graph_options);
  for (const CorrelationMethod method : kMethods) {
    for (const int num_threads : {1, 2}) {
      CorrelationOptions options = OnCpu(method, num_threads);
      options.no_improvement = std::numeric_limits<int64_t>::max();
      options.iterations = std::numeric_limits<int64_t>::max();
      SearchControl at_once;
      at_once.RequestStop();
      const CorrelationResult none = Search(graph, options, at_once);
      EXPECT_TRUE(none.stopped);
      EXPECT_EQ(none.starts, 1);

      SearchControl soon(0.2);
      const CorrelationResult some = Search(graph, options, soon);
      EXPECT_TRUE(some.stopped);
      EXPECT_LT(soon.seconds(), 5);
      EXPECT_LT(some.imbalance, none.imbalance);
      EXPECT_EQ(soon.best(), some.imbalance);
      ASSERT_FALSE(soon.improvements().empty());
      EXPECT_EQ(soon.improvements().back().imbalance, some.imbalance);
    }
  }
}

}  // namespace
}  // namespace warpclust
