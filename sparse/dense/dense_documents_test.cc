// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/dense_documents.h"

#include <limits>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

void ExpectInvalid(const DenseDocuments& documents, const char* part) {
  const absl::Status status = ValidateDenseDocuments(documents);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << part;
  EXPECT_TRUE(absl::StrContains(status.message(), part)) << status;
}

TEST(DenseDocumentsTest, DefaultIsEmptyAndValid) {
  const DenseDocuments documents;
  EXPECT_TRUE(ValidateDenseDocuments(documents).ok());
  EXPECT_TRUE(SquaredNorms(documents, 1).empty());
  EXPECT_TRUE(HasIntegerWeights(documents, 1));
}

TEST(DenseDocumentsTest, CopiesShareTheRows) {
  DenseDocuments copy;
  {
    const DenseDocuments documents = MakeDenseDocuments({1, 2, 3, -4, 5, 6}, 2);
    EXPECT_EQ(documents.num_dimensions, 3);
    copy = documents;
    EXPECT_EQ(copy.values.data(), documents.values.data());
  }
  EXPECT_EQ(copy.Row(1), absl::MakeConstSpan({-4.0f, 5.0f, 6.0f}));
  EXPECT_EQ(SquaredNorms(copy, 2), (std::vector<double>{14, 77}));
}

TEST(DenseDocumentsTest, Invalid) {
  DenseDocuments documents = MakeDenseDocuments({1, 2, 3, 4}, 2);
  documents.num_dimensions = 3;
  ExpectInvalid(documents, "expected 2 rows of 3 values, found 4 values");
  ExpectInvalid(
      MakeDenseDocuments({1, 2, std::numeric_limits<float>::quiet_NaN(), 4}, 2),
      "document 1, dimension 0: expected a finite number");
  ExpectInvalid(
      MakeDenseDocuments({1, -std::numeric_limits<float>::infinity()}, 2),
      "document 1, dimension 0: expected a finite number, found -inf");
}

TEST(DenseDocumentsTest, IntegerWeights) {
  EXPECT_TRUE(
      HasIntegerWeights(MakeDenseDocuments({1, -2, 0, 16777215}, 2), 1));
  EXPECT_FALSE(HasIntegerWeights(MakeDenseDocuments({1, 16777216}, 2), 1));
  EXPECT_FALSE(HasIntegerWeights(MakeDenseDocuments({1, 0.5}, 2), 1));
  for (const int threads : {1, 2, 5}) {
    const DenseDocuments mixed = MakeDenseDocuments({1, 0, 2, .5, 3, .25}, 6);
    EXPECT_EQ(FirstWithoutIntegerWeights(mixed, threads), 3);
    EXPECT_EQ(FirstWithoutIntegerWeights(mixed.Rows(0, 3), threads), 3);
  }
  // |d|² = 33 · (2^24 - 1)² > 2^53.
  EXPECT_FALSE(HasIntegerWeights(
      MakeDenseDocuments(std::vector<float>(33, 16777215.0f), 1), 1));
}

TEST(DenseDocumentsTest, NormsAreThoseOfTheSparseMatrix) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> value(0, 1);
  const int32_t n = 20;
  const int32_t d = 37;
  std::vector<float> values;
  DocumentMatrix sparse;
  sparse.num_terms = d;
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t k = 0; k < d; ++k) {
      values.push_back(random() % 3 == 0 ? 0.0f : value(random));
      if (values.back() > 0) {
        sparse.terms.push_back(k);
        sparse.weights.push_back(values.back());
      }
    }
    sparse.offsets.push_back(sparse.num_entries());
  }
  const DenseDocuments dense = MakeDenseDocuments(values, n);
  EXPECT_EQ(SquaredNorms(dense, 1), SquaredNorms(sparse));
  EXPECT_EQ(SquaredNorms(dense, 3), SquaredNorms(sparse));
}

}  // namespace
}  // namespace warpclust
