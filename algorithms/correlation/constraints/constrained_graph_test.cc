// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/constraints/constrained_graph.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/correlation/bound/cycle_packing.h"
#include "algorithms/correlation/correlation_clustering.h"
#include "algorithms/correlation/partition/partition.h"
#include "algorithms/correlation/search/correlation_options.h"
#include "algorithms/correlation/testing/random_signed_graph.h"
#include "base/numbers/random.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {
namespace {

constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

// The definition of the constraints.
bool Meets(const Labels& labels, const Labels& initial,
           const CorrelationConstraints& constraints) {
  for (const auto& [u, v] : constraints.must_link) {
    if (labels[u] != labels[v]) return false;
  }
  for (const auto& [u, v] : constraints.cannot_link) {
    if (labels[u] == labels[v]) return false;
  }
  for (const int32_t u : constraints.fixed) {
    for (const int32_t v : constraints.fixed) {
      if ((labels[u] == labels[v]) != (initial[u] == initial[v])) return false;
    }
  }
  return true;
}

// The least I(P) of all partitions that meet the constraints; kNone if none
// does.
int64_t Least(const SignedGraph& graph, const Labels& initial,
              const CorrelationConstraints& constraints, int32_t v,
              int32_t num_clusters, Labels* labels) {
  if (v == graph.num_vertices()) {
    return Meets(*labels, initial, constraints) ? Imbalance(graph, *labels)
                                                : kNone;
  }
  int64_t least = kNone;
  for (int32_t label = 0; label <= num_clusters; ++label) {
    (*labels)[v] = label;
    least = std::min(least, Least(graph, initial, constraints, v + 1,
                                  std::max(num_clusters, label + 1), labels));
  }
  return least;
}

struct Case {
  SignedGraph graph;
  CorrelationOptions options;
  int64_t least = kNone;
};

Case RandomCase(uint64_t seed) {
  Random random(seed);
  RandomSignedGraphOptions options;
  options.num_vertices = 2 + static_cast<int32_t>(seed % 7);
  options.density = 40 + static_cast<int>(seed % 7) * 10;
  options.negative = 20 + static_cast<int>(seed % 5) * 15;
  options.parallel = seed % 2 == 0 ? 20 : 0;
  options.max_weight = seed % 3 == 0 ? 1000 : 1;
  options.seed = seed;
  Case result;
  result.graph = RandomSignedGraph(options);
  const auto n = static_cast<uint64_t>(options.num_vertices);
  const auto vertex = [&] { return static_cast<int32_t>(random.Below(n)); };
  result.options.device = Device::kCpu;
  result.options.num_threads = 1;
  for (uint64_t v = 0; v < n; ++v) result.options.initial.push_back(vertex());
  CorrelationConstraints& constraints = result.options.constraints;
  for (uint64_t i = random.Below(3); i > 0; --i) {
    constraints.must_link.push_back({vertex(), vertex()});
  }
  for (uint64_t i = random.Below(4); i > 0; --i) {
    constraints.cannot_link.push_back({vertex(), vertex()});
  }
  for (uint64_t i = random.Below(4); i > 0; --i) {
    constraints.fixed.push_back(vertex());
  }
  Labels labels(n);
  result.least =
      Least(result.graph, result.options.initial, constraints, 0, 0, &labels);
  return result;
}

TEST(ConstrainedGraphTest, ImbalanceIsKeptAndGrowsOnlyForForbiddenPartitions) {
  Random random(3);
  int met = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = RandomCase(seed);
    const auto constrained =
        Constrain(c.graph, c.options.initial, c.options.constraints);
    ASSERT_EQ(constrained.ok(), c.least != kNone) << constrained.status();
    if (!constrained.ok()) continue;
    ASSERT_TRUE(ValidateSignedGraph(constrained->graph).ok());
    for (int i = 0; i < 20; ++i) {
      Labels groups(constrained->graph.num_vertices());
      for (int32_t& label : groups) {
        label = static_cast<int32_t>(random.Below(groups.size()));
      }
      Labels labels;
      for (const int32_t g : constrained->group) labels.push_back(groups[g]);
      const int64_t imbalance = Imbalance(constrained->graph, groups);
      const bool meets =
          Meets(labels, c.options.initial, c.options.constraints);
      EXPECT_EQ(KeepsApart(*constrained, groups), meets);
      if (meets) {
        EXPECT_EQ(imbalance, Imbalance(c.graph, labels));
        ++met;
      } else {
        EXPECT_GE(imbalance, Imbalance(c.graph, labels));
      }
    }
  }
  EXPECT_GT(met, 1000);
}

TEST(ConstrainedGraphTest, TheSearchFindsTheOptimumAndTheBoundHolds) {
  int infeasible = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Case c = RandomCase(seed);
    const Labels initial = c.options.initial;
    for (const CorrelationMethod method :
         {CorrelationMethod::kAuto, CorrelationMethod::kSeqGrasp,
          CorrelationMethod::kIlsCudaVnd}) {
      c.options.method = method;
      c.options.iterations = method == CorrelationMethod::kSeqGrasp ? 50 : 3;
      if (method != CorrelationMethod::kAuto) {
        if (!c.options.constraints.fixed.empty()) continue;
        c.options.initial.clear();
      }
      const auto result = CorrelationClustering(c.graph, c.options);
      ASSERT_EQ(result.ok(), c.least != kNone) << result.status();
      if (!result.ok()) {
        EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
        ++infeasible;
        continue;
      }
      EXPECT_EQ(result->imbalance, c.least);
      EXPECT_EQ(Imbalance(c.graph, result->labels), c.least);
      EXPECT_TRUE(Meets(result->labels, initial, c.options.constraints));
    }
    c.options.initial = initial;
    if (c.least == kNone) continue;
    const auto constrained = Constrain(c.graph, initial, c.options.constraints);
    const auto packing = PackConflictedCycles(
        constrained->graph, Labels(constrained->graph.num_vertices(), 0));
    EXPECT_LE(packing->bound, c.least);
  }
  EXPECT_GT(infeasible, 10);
}

TEST(ConstrainedGraphTest, NeverWorseThanTheInitialPartition) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomSignedGraphOptions options;
    options.num_vertices = 40;
    options.density = 5 + static_cast<int>(seed % 5) * 10;
    options.max_weight = seed % 2 == 0 ? 1 : 50;
    options.seed = seed;
    const SignedGraph graph = RandomSignedGraph(options);
    CorrelationOptions search;
    search.device = Device::kCpu;
    search.num_threads = 1;
    search.iterations = 1;
    const auto fresh = CorrelationClustering(graph, search);
    ASSERT_TRUE(fresh.ok());
    // Other draws must not lose what the start has.
    search.initial = fresh->labels;
    search.seed = 7;
    const auto again = CorrelationClustering(graph, search);
    EXPECT_LE(again->imbalance, fresh->imbalance);
    // A stop before anything is done.
    SearchControl control;
    control.RequestStop();
    const auto stopped = CorrelationClustering(graph, search, &control);
    EXPECT_LE(stopped->imbalance, fresh->imbalance);
    // With constraints that it meets.
    search.constraints.fixed = {0, 1, 2, 3, 4, 5, 6, 7};
    const auto kept = CorrelationClustering(graph, search, &control);
    EXPECT_LE(kept->imbalance, fresh->imbalance);
    EXPECT_TRUE(Meets(kept->labels, search.initial, search.constraints));
    // A stop does not free a search from constraints that it does not meet.
    search.constraints.fixed.clear();
    for (int32_t v = 0; v < 12; ++v) {
      search.constraints.cannot_link.push_back({v, v + 1});
      search.constraints.must_link.push_back({v, v + 20});
    }
    const auto parted = CorrelationClustering(graph, search, &control);
    ASSERT_TRUE(parted.ok()) << parted.status();
    EXPECT_TRUE(Meets(parted->labels, search.initial, search.constraints));
  }
}

TEST(ConstrainedGraphTest, ErrorsNameTheVertices) {
  const auto graph = BuildSignedGraph(6, {});
  CorrelationOptions options;
  const auto message = [&] {
    const auto status = CorrelationClustering(*graph, options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  options.constraints.must_link = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  options.constraints.cannot_link = {{5, 0}, {3, 1}};
  EXPECT_EQ(message(),
            "constraints: expected a partition that meets all of them, found "
            "none: 3 and 1 may not share a cluster, but must share one: 3 - 2 "
            "- 1");
  options.constraints.cannot_link = {{2, 2}};
  EXPECT_NE(message().find("must share one: 2"), std::string::npos);
  options.constraints.cannot_link.clear();
  options.constraints.fixed = {0, 3};
  EXPECT_NE(message().find("initial partition of 6 vertices"),
            std::string::npos);
  options.initial = {0, 0, 0, 1, 1, 1};
  EXPECT_NE(message().find("0 and 3 are fixed in different clusters, but must "
                           "share one: 0 - 1 - 2 - 3"),
            std::string::npos);
  options.constraints.fixed = {6};
  EXPECT_NE(message().find("expected vertices in [0, 6), found 6"),
            std::string::npos);
  options.constraints = CorrelationConstraints();
  options.initial = {0};
  EXPECT_NE(message().find("each of the 6 vertices, found 1"),
            std::string::npos);
  options.initial = {0, 0, 0, 1, 1, 6};
  EXPECT_NE(message().find("expected labels in [0, 6), found 6"),
            std::string::npos);
  options.initial = {0, 0, 0, 1, 1, 1};
  options.method = CorrelationMethod::kSeqIls;
  EXPECT_NE(message().find("expected the method auto"), std::string::npos);
}

}  // namespace
}  // namespace warpclust
