// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/exact_cosines.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "graph/csr/csr_graph.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

TEST(ExactCosinesTest, RoundToTheWeightsOfTheGraph) {
  for (const bool integer_weights : {true, false}) {
    for (uint64_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE(seed);
      RandomDocumentsOptions options;
      options.seed = seed;
      options.integer_weights = integer_weights;
      options.empty_fraction = 0.1;
      const DocumentMatrix documents = RandomDocuments(options);
      const CsrGraph graph = NaiveCosineGraph(documents, "0.05");
      ASSERT_GT(graph.num_edges(), 100);
      const ExactCosines exact(documents);
      std::vector<double> scratch;
      for (int32_t d = 0; d < graph.num_vertices(); ++d) {
        std::vector<double> cosines(graph.Degree(d));
        exact(d, graph.NeighborsOf(d), &scratch, absl::MakeSpan(cosines));
        for (int64_t k = 0; k < graph.Degree(d); ++k) {
          EXPECT_EQ(static_cast<float>(cosines[k]), graph.WeightsOf(d)[k]);
        }
      }
    }
  }
}

TEST(ExactDenseCosinesTest, RoundToTheWeights) {
  const DenseDocuments documents =
      RandomDenseDocuments(DenseKind::kGaussian, 80, 37, 1);
  const CsrGraph graph = NaiveDenseCosineGraph(documents, "0.05", false);
  ASSERT_GT(graph.num_edges(), 100);
  const ExactDenseCosines exact(documents, /*num_threads=*/1);
  for (int32_t d = 0; d < graph.num_vertices(); ++d) {
    std::vector<double> cosines(graph.Degree(d));
    exact(d, graph.NeighborsOf(d), nullptr, absl::MakeSpan(cosines));
    for (int64_t k = 0; k < graph.Degree(d); ++k) {
      EXPECT_EQ(static_cast<float>(cosines[k]), graph.WeightsOf(d)[k]);
    }
  }
}

TEST(ExactCosinesTest, Values) {
  DocumentMatrix documents;
  documents.num_terms = 4;
  documents.offsets = {0, 2, 4, 5, 7};
  documents.terms = {0, 1, 0, 1, 2, 0, 1};
  documents.weights = {3, 1, 1, 3, 7, 6, 2};
  const ExactCosines exact(documents);
  std::vector<double> scratch;
  std::vector<double> cosines(3);
  const std::vector<int32_t> others = {1, 2, 3};
  exact(0, others, &scratch, absl::MakeSpan(cosines));
  EXPECT_EQ(cosines, (std::vector<double>{0.6, 0.0, 1.0}));
  exact(2, others, &scratch, absl::MakeSpan(cosines));
  EXPECT_EQ(cosines, (std::vector<double>{0.0, 1.0, 0.0}));
}

}  // namespace
}  // namespace warpclust
