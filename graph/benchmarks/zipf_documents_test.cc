// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/benchmarks/zipf_documents.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(ZipfDocumentsTest, AreValidAndTheSameEveryTime) {
  ZipfDocumentsOptions options;
  options.num_documents = 3000;
  options.num_terms = 500;
  options.terms_per_document = 60;
  const DocumentMatrix documents = ZipfDocuments(options);
  EXPECT_TRUE(ValidateDocuments(documents).ok());
  EXPECT_EQ(documents.num_documents(), 3000);
  EXPECT_EQ(documents.num_entries(), 3000 * 60);
  EXPECT_TRUE(HasIntegerWeights(documents));
  const DocumentMatrix again = ZipfDocuments(options);
  EXPECT_EQ(documents.terms, again.terms);
  EXPECT_EQ(documents.weights, again.weights);
  options.seed = 2;
  EXPECT_NE(documents.terms, ZipfDocuments(options).terms);
}

TEST(ZipfDocumentsTest, FrequenciesFollowTheLaw) {
  ZipfDocumentsOptions options;
  options.num_documents = 400000;
  options.num_terms = 64;
  options.terms_per_document = 1;
  options.offset = 1;
  const DocumentMatrix documents = ZipfDocuments(options);
  std::vector<double> counts(64);
  for (const int32_t term : documents.terms) ++counts[term];
  double sum = 0;
  for (int t = 0; t < 64; ++t) sum += 1.0 / (t + 2);
  for (int t = 0; t < 64; ++t) {
    const double expected = 400000 / sum / (t + 2);
    // Six standard deviations.
    EXPECT_NEAR(counts[t], expected, 6 * std::sqrt(expected)) << t;
  }
}

}  // namespace
}  // namespace warpclust
