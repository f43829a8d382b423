// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/dense_of_sparse.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(DenseOfSparseTest, Rows) {
  DocumentMatrix documents;
  documents.num_terms = 3;
  documents.offsets = {0, 2, 2, 3};
  documents.terms = {0, 2, 1};
  documents.weights = {1, -2, 3};
  EXPECT_TRUE(HasNegativeWeights(documents));
  const absl::StatusOr<DenseDocuments> dense = DenseOfSparse(documents);
  ASSERT_TRUE(dense.ok()) << dense.status();
  EXPECT_EQ(dense->num_documents(), 3);
  EXPECT_EQ(dense->num_dimensions, 3);
  EXPECT_EQ(std::vector<float>(dense->values.begin(), dense->values.end()),
            (std::vector<float>{1, 0, -2, 0, 0, 0, 0, 3, 0}));
  documents.weights[1] = 2;
  EXPECT_FALSE(HasNegativeWeights(documents));
}

TEST(DenseOfSparseTest, MostTerms) {
  DocumentMatrix documents;
  documents.offsets = {0, 0};
  documents.num_terms = kMostDenseTerms;
  EXPECT_TRUE(DenseOfSparse(documents).ok());
  ++documents.num_terms;
  EXPECT_EQ(DenseOfSparse(documents).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(DenseOfSparse(DocumentMatrix()).ok());
}

}  // namespace
}  // namespace warpclust
