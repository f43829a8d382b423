// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The paper's method against CosineGraphCuda: the same edges, except pairs
// whose cosine is within float rounding of the threshold.

#include "graph/benchmarks/paper_similarity_cuda.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/testing/case_share.h"
#include "graph/cosine/cuda/cosine_graph_cuda.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/testing/little_memory.h"

namespace warpclust {
namespace {

constexpr double kTolerance = 1e-5;

class PaperSimilarityCudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

using Edges = std::map<std::pair<int32_t, int32_t>, float>;

Edges EdgesOf(const CsrGraph& graph) {
  Edges edges;
  for (int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (size_t k = 0; k < graph.NeighborsOf(v).size(); ++k) {
      const int32_t u = graph.NeighborsOf(v)[k];
      if (v < u) edges[{v, u}] = graph.WeightsOf(v)[k];
    }
  }
  return edges;
}

Edges EdgesOf(const PaperSimilarityResult& result) {
  Edges edges;
  for (const WeightedEdge& edge : result.edges) {
    EXPECT_LT(edge.u, edge.v);
    EXPECT_TRUE(edges.insert({{edge.u, edge.v}, edge.weight}).second);
  }
  return edges;
}

// Those of `a` that are missing in `b` lie at the threshold; the rest agree.
void ExpectWithin(const Edges& a, const Edges& b, double beta) {
  for (const auto& [pair, weight] : a) {
    const auto other = b.find(pair);
    EXPECT_NEAR(weight, other == b.end() ? beta : other->second, kTolerance)
        << pair.first << ", " << pair.second;
  }
}

TEST_F(PaperSimilarityCudaTest, HasTheEdgesOfTheExactGraph) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(seed);
    RandomDocumentsOptions shape;
    shape.seed = seed;
    shape.num_documents = 1 + static_cast<int32_t>(seed * 61 % 400);
    shape.mean_terms = seed % 2 == 0 ? 10 : 60;
    shape.integer_weights = seed % 3 != 0;
    shape.empty_fraction = 0.1;
    const DocumentMatrix documents = RandomDocuments(shape);
    CosineGraphOptions exact;
    exact.beta = {35, 100};
    const absl::StatusOr<CsrGraph> graph = CosineGraphCuda(documents, exact);
    ASSERT_TRUE(graph.ok()) << graph.status();
    PaperSimilarityOptions options;
    options.beta = 0.35f;
    const absl::StatusOr<PaperSimilarityResult> paper =
        PaperSimilarityGraph(documents, options);
    ASSERT_TRUE(paper.ok()) << paper.status();
    ExpectWithin(EdgesOf(*graph), EdgesOf(*paper), 0.35);
    ExpectWithin(EdgesOf(*paper), EdgesOf(*graph), 0.35);
  }
}

TEST_F(PaperSimilarityCudaTest, AisIsTheAverageSimilarity) {
  const DocumentMatrix documents = RandomDocuments({.num_documents = 200});
  const absl::StatusOr<PaperSimilarityResult> paper =
      PaperSimilarityGraph(documents, PaperSimilarityOptions());
  ASSERT_TRUE(paper.ok()) << paper.status();
  ASSERT_FALSE(paper->edges.empty());
  std::vector<double> sums(200, 0);
  std::vector<int> degrees(200, 0);
  for (const WeightedEdge& edge : paper->edges) {
    for (const int32_t end : {edge.u, edge.v}) {
      sums[end] += edge.weight;
      ++degrees[end];
    }
  }
  for (int32_t v = 0; v < 200; ++v) {
    EXPECT_NEAR(paper->ais[v], sums[v] / std::max(degrees[v], 1), kTolerance);
  }
}

TEST_F(PaperSimilarityCudaTest, StrideTakesEveryThirdDocument) {
  const DocumentMatrix documents = RandomDocuments({.num_documents = 100});
  const absl::StatusOr<PaperSimilarityResult> all =
      PaperSimilarityGraph(documents, PaperSimilarityOptions());
  const absl::StatusOr<PaperSimilarityResult> third =
      PaperSimilarityGraph(documents, {.stride = 3});
  ASSERT_TRUE(all.ok() && third.ok());
  Edges expected;
  for (const auto& [pair, weight] : EdgesOf(*all)) {
    if (pair.first % 3 == 0) expected[pair] = weight;
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(EdgesOf(*third), expected);
}

TEST_F(PaperSimilarityCudaTest, LittleMemory) {
  const DocumentMatrix documents = RandomDocuments({.num_documents = 300});
  ExpectLittleMemoryHolds(
      "documents", 1,
      [&] { return PaperSimilarityGraph(documents, PaperSimilarityOptions()); },
      [](const PaperSimilarityResult& a, const PaperSimilarityResult& b) {
        return EdgesOf(a) == EdgesOf(b) && a.ais == b.ais;
      });
}

}  // namespace
}  // namespace warpclust
