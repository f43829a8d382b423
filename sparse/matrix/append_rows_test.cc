// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/append_rows.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

TEST(AppendRowsTest, TakesAndJoins) {
  DocumentMatrix rows;
  rows.num_terms = 9;
  rows.offsets = {0, 1, 1, 3};
  rows.terms = {7, 0, 8};
  rows.weights = {1, 2, 3};
  DocumentMatrix documents;
  AppendRows(rows, 0, 0, &documents);
  EXPECT_EQ(documents.num_documents(), 0);
  EXPECT_EQ(documents.num_terms, 9);
  documents.num_terms = 10;
  AppendRows(rows, 1, 3, &documents);
  AppendRows(rows, 0, 1, &documents);
  EXPECT_EQ(documents.num_terms, 10);
  EXPECT_THAT(documents.offsets, testing::ElementsAre(0, 0, 2, 3));
  EXPECT_THAT(documents.terms, testing::ElementsAre(0, 8, 7));
  EXPECT_THAT(documents.weights, testing::ElementsAre(2, 3, 1));
  EXPECT_TRUE(ValidateDocuments(documents).ok());
}

}  // namespace
}  // namespace warpclust
