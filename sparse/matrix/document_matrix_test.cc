// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/document_matrix.h"

#include <limits>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

DocumentMatrix Small() {
  // {0: 1, 2: 3}, {}, {1: 2}
  return DocumentMatrix{{0, 2, 2, 3}, {0, 2, 1}, {1, 3, 2}, 3};
}

void ExpectInvalid(const DocumentMatrix& documents, const char* part) {
  const absl::Status status = ValidateDocuments(documents);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << part;
  EXPECT_TRUE(absl::StrContains(status.message(), part)) << status;
}

TEST(DocumentMatrixTest, DefaultIsEmptyAndValid) {
  const DocumentMatrix documents;
  EXPECT_EQ(documents.num_documents(), 0);
  EXPECT_TRUE(ValidateDocuments(documents).ok());
  EXPECT_TRUE(SquaredNorms(documents).empty());
  EXPECT_TRUE(HasIntegerWeights(documents));
}

TEST(DocumentMatrixTest, RowsAndNorms) {
  const DocumentMatrix documents = Small();
  EXPECT_TRUE(ValidateDocuments(documents).ok());
  EXPECT_EQ(documents.TermsOf(0), absl::MakeConstSpan({0, 2}));
  EXPECT_TRUE(documents.TermsOf(1).empty());
  EXPECT_EQ(SquaredNorms(documents), (std::vector<double>{10, 0, 4}));
}

TEST(DocumentMatrixTest, ValidateNamesEachDefect) {
  DocumentMatrix m = Small();
  m.offsets = {};
  ExpectInvalid(m, "start with 0");
  m = Small();
  m.offsets[0] = 1;
  ExpectInvalid(m, "start with 0");
  m = Small();
  m.offsets = {0, 2, 1, 3};
  ExpectInvalid(m, "document 1: expected an end");
  m = Small();
  m.offsets.back() = 4;
  ExpectInvalid(m, "last offset");
  m = Small();
  m.weights.pop_back();
  ExpectInvalid(m, "last offset");
  m = Small();
  m.num_terms = 2;
  ExpectInvalid(m, "document 0, entry 1: expected a term in [0, 2), found 2");
  m = Small();
  m.terms[0] = -1;
  ExpectInvalid(m, "found -1");
  m = Small();
  m.terms[0] = 2;
  ExpectInvalid(m, "document 0, entry 1: expected a term above 2, found 2");
  m = Small();
  m.num_terms = -1;
  ExpectInvalid(m, "num_terms");
  for (float bad : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(),
                    std::numeric_limits<float>::infinity()}) {
    m = Small();
    m.weights[2] = bad;
    ExpectInvalid(m, "document 2, entry 0: expected a positive finite weight");
  }
}

TEST(DocumentMatrixTest, SquaredNormsAreExactInDouble) {
  // 16777215^2 needs 48 bits: lost in float, exact in double.
  const DocumentMatrix m{{0, 2}, {0, 1}, {16777215.0f, 1.0f}, 2};
  EXPECT_EQ(SquaredNorms(m)[0], 281474943156225.0 + 1.0);
}

TEST(DocumentMatrixTest, IntegerWeights) {
  EXPECT_TRUE(HasIntegerWeights(Small()));
  DocumentMatrix m = Small();
  m.weights[1] = 2.5f;
  EXPECT_FALSE(HasIntegerWeights(m));
  m.weights[1] = 16777215.0f;
  EXPECT_TRUE(HasIntegerWeights(m));
  m.weights[1] = 16777216.0f;
  EXPECT_FALSE(HasIntegerWeights(m));
  // 33 weights of 2^24 - 1 have a squared norm above 2^53.
  DocumentMatrix wide;
  for (int32_t t = 0; t < 33; ++t) {
    wide.terms.push_back(t);
    wide.weights.push_back(16777215.0f);
  }
  wide.num_terms = 33;
  wide.offsets = {0, 33};
  EXPECT_FALSE(HasIntegerWeights(wide));
  wide.offsets = {0, 16, 33};
  EXPECT_TRUE(HasIntegerWeights(wide));
  EXPECT_EQ(FirstWithoutIntegerWeights(wide), 2);
  wide.weights[20] = 0.5f;
  EXPECT_EQ(FirstWithoutIntegerWeights(wide), 1);
  EXPECT_EQ(FirstWithoutIntegerWeights(DocumentMatrix()), 0);
}

}  // namespace
}  // namespace warpclust
