// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/raise_threshold.h"

#include <cstdint>

#include "absl/status/status.h"
#include "graph/csr/csr_graph.h"
#include "graph/testing/cosine_graph_oracle.h"
#include "graph/testing/dense_cosine_oracle.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

// Cosines of small counts are often one of these.
constexpr Decimal kBetas[] = {"0.05", "0.2", {1, 3},        "0.333333334",
                              "0.4",  "0.5", "0.500000001", "0.6",
                              "0.75", "0.8", "0.999999999", "1"};

void ExpectSame(const CsrGraph& graph, const CsrGraph& expected) {
  EXPECT_TRUE(ValidateGraph(graph).ok());
  EXPECT_EQ(graph.offsets, expected.offsets);
  EXPECT_EQ(graph.neighbors, expected.neighbors);
  EXPECT_EQ(graph.weights, expected.weights);
}

// Raises the threshold step by step, and at once to the last.
void ExpectGraphsOf(const DocumentMatrix& documents) {
  for (const int num_threads : {1, 3}) {
    CosineGraphOptions options;
    options.num_threads = num_threads;
    CsrGraph graph = NaiveCosineGraph(documents, kBetas[0]);
    for (const Decimal& beta : kBetas) {
      SCOPED_TRACE(FormatDecimal(beta));
      options.beta = beta;
      const CsrGraph expected = NaiveCosineGraph(documents, beta);
      ASSERT_TRUE(RaiseCosineThreshold(documents, options, &graph).ok());
      ExpectSame(graph, expected);
      CsrGraph at_once = NaiveCosineGraph(documents, kBetas[0]);
      ASSERT_TRUE(RaiseCosineThreshold(documents, options, &at_once).ok());
      ExpectSame(at_once, expected);
    }
  }
}

TEST(RaiseCosineThresholdTest, IsTheGraphOfTheHigherThreshold) {
  for (const bool integer_weights : {true, false}) {
    for (uint64_t seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      RandomDocumentsOptions options;
      options.seed = seed;
      options.integer_weights = integer_weights;
      options.largest_weight = seed % 2 == 0 ? 2 : 9;
      options.num_terms = seed % 3 == 0 ? 20 : 200;
      options.empty_fraction = 0.1;
      ExpectGraphsOf(RandomDocuments(options));
    }
  }
}

TEST(RaiseCosineThresholdTest, CosinesThatAreTheThreshold) {
  // A weight whose square has no exact norm decides in double.
  for (const float weight : {1.0f, 3.0f, 0.1f, 0.7f}) {
    SCOPED_TRACE(weight);
    const DocumentMatrix documents = NineTermDocuments(80, weight);
    const CsrGraph at_third = NaiveCosineGraph(documents, {1, 3});
    const CsrGraph above = NaiveCosineGraph(documents, "0.333333334");
    ASSERT_GT(at_third.num_edges(), above.num_edges() + 300);
    ExpectGraphsOf(documents);
  }
}

TEST(RaiseCosineThresholdTest, DenseDocuments) {
  for (const DenseKind kind : kDenseKinds) {
    SCOPED_TRACE(static_cast<int>(kind));
    const DenseDocuments documents = RandomDenseDocuments(kind, 90, 19, 7);
    CosineGraphOptions options;
    CsrGraph graph = NaiveDenseCosineGraph(documents, kBetas[0], true);
    for (const Decimal& beta : kBetas) {
      SCOPED_TRACE(FormatDecimal(beta));
      options.beta = beta;
      ASSERT_TRUE(RaiseCosineThreshold(documents, options, &graph).ok());
      ExpectSame(graph, NaiveDenseCosineGraph(documents, beta, true));
    }
  }
}

TEST(RaiseCosineThresholdTest, ThresholdsApart) {
  EXPECT_TRUE(CanRaiseThreshold("0.25", "0.25"));
  EXPECT_TRUE(CanRaiseThreshold("0.25", "0.250000001"));
  EXPECT_TRUE(CanRaiseThreshold({1, 3}, "0.333333334"));
  EXPECT_TRUE(CanRaiseThreshold("0.000000001", "1"));
  EXPECT_FALSE(CanRaiseThreshold("0.25", "0.249999999"));
  // Decided in other arithmetic, perhaps.
  EXPECT_FALSE(CanRaiseThreshold("0.25", {1, 4}));
  EXPECT_FALSE(CanRaiseThreshold({499999999, 999999999}, {1, 2}) &&
               CanRaiseThreshold({1, 2}, {499999999, 999999999}));
  EXPECT_FALSE(CanRaiseThreshold({1, 1000000000}, {1, 999999999}));
}

TEST(RaiseCosineThresholdTest, RefusesWhatDoesNotFit) {
  const DocumentMatrix documents = NineTermDocuments(8, 1);
  CsrGraph graph = NaiveCosineGraph(documents, "0.2");
  CosineGraphOptions options;
  options.beta = "2";
  EXPECT_EQ(RaiseCosineThreshold(documents, options, &graph).code(),
            absl::StatusCode::kInvalidArgument);
  options.beta = "0.5";
  CsrGraph small;
  EXPECT_EQ(RaiseCosineThreshold(documents, options, &small).code(),
            absl::StatusCode::kInvalidArgument);
  DocumentMatrix none;
  EXPECT_TRUE(RaiseCosineThreshold(none, options, &small).ok());
}

}  // namespace
}  // namespace warpclust
