// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/stars/relevance_cpu.h"

#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/fixed_point_weight.h"
#include "graph/stars/relevance_table.h"
#include "graph/testing/random_star_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// The definitions of relevance_table.h, neighbor by neighbor.
void ExpectDefinition(const CsrGraph& graph, const RelevanceTable& table) {
  const int32_t n = graph.num_vertices();
  ASSERT_EQ(table.num_vertices(), n);
  std::vector<uint64_t> sums(n, 0);
  for (int32_t v = 0; v < n; ++v) {
    for (const float weight : graph.WeightsOf(v)) {
      sums[v] += table.scale.ToInteger(weight);
    }
  }
  ASSERT_EQ(table.weight_sums, sums);
  for (int32_t v = 0; v < n; ++v) {
    ASSERT_EQ(table.degrees[v], graph.Degree(v));
    uint32_t count = 0;
    for (const int32_t u : graph.NeighborsOf(v)) {
      count += graph.Degree(v) >= graph.Degree(u);
      count +=
          AverageAtLeast(sums[v], graph.Degree(v), sums[u], graph.Degree(u));
    }
    ASSERT_EQ(table.counts[v], count) << "vertex " << v;
  }
}

TEST(RelevancesCpuTest, EqualsTheDefinitionOnRandomGraphs) {
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const CsrGraph graph = RandomGraph(seed);
    const absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
    ASSERT_TRUE(table.ok()) << table.status();
    ExpectDefinition(graph, *table);
  }
}

// Averages of a few units of the fixed point, one apart or less, so that their
// integer parts leave many pairs open.
TEST(RelevancesCpuTest, AveragesThatDifferByAFraction) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    CsrGraph graph = RandomNeighborhoodGraph(100, 600, seed);
    const uint32_t levels = 2 + seed % 4;
    const auto unit_weight = [&](int32_t u, int32_t v) {
      const uint32_t mixed = static_cast<uint32_t>(u + v) * 0x9e3779b9u;
      return std::ldexp(static_cast<float>((mixed >> 16) % levels), -31);
    };
    for (int32_t v = 0; v < graph.num_vertices(); ++v) {
      for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
        graph.weights[i] = unit_weight(v, graph.neighbors[i]);
      }
    }
    // A weight of 1 keeps the scale at 2^31.
    if (seed % 2 == 0) {
      const int32_t u = graph.neighbors[0];
      const int32_t v = graph.neighbors[graph.offsets[u]];
      for (const auto& [a, b] : {std::pair(u, v), std::pair(v, u)}) {
        for (int64_t i = graph.offsets[a]; i < graph.offsets[a + 1]; ++i) {
          if (graph.neighbors[i] == b) graph.weights[i] = 1.0f;
        }
      }
    }
    const absl::StatusOr<RelevanceTable> table =
        RelevancesCpu(graph, 1 + seed % 3);
    ASSERT_TRUE(table.ok()) << table.status();
    ExpectDefinition(graph, *table);
  }
}

TEST(RelevancesCpuTest, LargestAverages) {
  // All averages are just below 2^32 units: no half of a word overflows.
  CsrGraph graph = RandomGraph(11);
  for (float& weight : graph.weights) weight = std::nextafter(2.0f, 0.0f);
  absl::StatusOr<RelevanceTable> table = RelevancesCpu(graph, 1);
  ASSERT_TRUE(table.ok()) << table.status();
  ExpectDefinition(graph, *table);
  EXPECT_EQ(table->scale.factor, 2147483648.0);

  graph.weights.assign(graph.weights.size(), -0.0f);
  table = RelevancesCpu(graph, 1);
  ASSERT_TRUE(table.ok()) << table.status();
  ExpectDefinition(graph, *table);
}

TEST(RelevancesCpuTest, RefusesANegativeNumberOfThreads) {
  EXPECT_EQ(RelevancesCpu(CsrGraph(), -1).status().message(),
            "num_threads: expected at least 0, found -1");
}

TEST(RelevancesCpuTest, ThreadsDoNotShow) {
  for (const float scale : {1.0f, 1e-20f}) {
    CsrGraph graph = RandomNeighborhoodGraph(3000, 60000, 3);
    for (float& weight : graph.weights) weight *= scale;
    const absl::StatusOr<RelevanceTable> one = RelevancesCpu(graph, 1);
    const absl::StatusOr<RelevanceTable> many = RelevancesCpu(graph, 7);
    ASSERT_TRUE(one.ok() && many.ok());
    EXPECT_EQ(*one, *many);
    ExpectDefinition(graph, *one);
  }
}

}  // namespace
}  // namespace warpclust
