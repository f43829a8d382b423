// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The paper's relevances against their definition, neighbor by neighbor, and
// against the library's, on graphs whose averages are exact enough in float.

#include "graph/benchmarks/paper_relevance_cuda.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/testing/case_share.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/relevance_cpu.h"
#include "graph/stars/relevance_table.h"
#include "graph/testing/random_star_graph.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

class PaperRelevanceCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

// Gives each edge a weight of 1/4, 2/4, 3/4 or 1: sums are exact in float, and
// averages over a few thousand edges are equal or differ by more than rounding.
CsrGraph WithFewWeights(CsrGraph graph) {
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (int64_t i = graph.offsets[v]; i < graph.offsets[v + 1]; ++i) {
      const uint32_t mixed =
          static_cast<uint32_t>(v + graph.neighbors[i]) * 0x9e3779b9u;
      graph.weights[i] = static_cast<float>(1 + (mixed >> 16) % 4) / 4;
    }
  }
  return graph;
}

std::vector<float> ByDefinition(const CsrGraph& graph) {
  const std::vector<float> ais = PaperAis(graph);
  std::vector<float> relevances;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    int64_t count = 0;
    for (const int32_t u : graph.NeighborsOf(v)) {
      count += graph.Degree(u) <= graph.Degree(v) ? 1 : 0;
      count += ais[u] <= ais[v] ? 1 : 0;
    }
    relevances.push_back(count == 0
                             ? 0.0f
                             : static_cast<float>(count) /
                                   static_cast<float>(2 * graph.Degree(v)));
  }
  return relevances;
}

std::vector<float> ByLibrary(const CsrGraph& graph) {
  const RelevanceTable table = *RelevancesCpu(graph, 1);
  std::vector<float> relevances;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    relevances.push_back(
        table.degrees[v] == 0
            ? 0.0f
            : static_cast<float>(table.counts[v]) /
                  static_cast<float>(2 * int64_t{table.degrees[v]}));
  }
  return relevances;
}

absl::StatusOr<std::vector<float>> ByPaper(const CsrGraph& graph) {
  absl::StatusOr<DeviceGraph> device = UploadGraph(graph);
  if (!device.ok()) return device.status();
  return PaperRelevances(*device, PaperAis(graph));
}

void ExpectRelevances(const CsrGraph& graph) {
  const absl::StatusOr<std::vector<float>> paper = ByPaper(graph);
  ASSERT_TRUE(paper.ok()) << paper.status();
  EXPECT_EQ(*paper, ByDefinition(graph));
}

TEST_F(PaperRelevanceCudaTest, SmallGraphs) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(seed);
    const CsrGraph graph = RandomGraph(seed);
    ExpectRelevances(graph);
    const CsrGraph few = WithFewWeights(graph);
    ExpectRelevances(few);
    EXPECT_EQ(ByDefinition(few), ByLibrary(few));
  }
}

TEST_F(PaperRelevanceCudaTest, ManyVerticesAndLongRows) {
  // Not a multiple of 32 vertices, rows of more than 32 neighbors.
  const CsrGraph graph =
      WithFewWeights(RandomNeighborhoodGraph(3001, 200000, 1));
  ExpectRelevances(graph);
  EXPECT_EQ(ByDefinition(graph), ByLibrary(graph));
  ExpectRelevances(CsrGraph());
}

TEST_F(PaperRelevanceCudaTest, LittleMemory) {
  const CsrGraph graph = RandomNeighborhoodGraph(500, 3000, 2);
  const absl::StatusOr<DeviceGraph> device = UploadGraph(graph);
  ASSERT_TRUE(device.ok()) << device.status();
  ExpectLittleMemoryHolds(
      "relevances", 1,
      [&] { return PaperRelevances(*device, PaperAis(graph)); },
      [](const std::vector<float>& a, const std::vector<float>& b) {
        return a == b;
      });
}

}  // namespace
}  // namespace warpclust
