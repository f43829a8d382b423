// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/owned_dense_rows.h"

#include <utility>

#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(OwnedDenseRowsTest, JoinsParts) {
  const DenseDocuments a = MakeDenseDocuments({1, 2, 3, 4, 5, 6}, 3);
  OwnedDenseRows rows;
  EXPECT_EQ(rows.num_documents(), 0);
  AppendRows(a, 1, 1, &rows);
  EXPECT_EQ(rows.num_dimensions, 0);
  AppendRows(a, 1, 3, &rows);
  AppendRows(a, 0, 1, &rows);
  const DenseDocuments view = rows;
  EXPECT_EQ(view.num_documents(), 3);
  EXPECT_EQ(view.Row(2), absl::MakeConstSpan({1.0f, 2.0f}));
  const float* const values = rows.values.data();
  const DenseDocuments joined = MakeDenseDocuments(std::move(rows));
  EXPECT_EQ(joined.values, absl::MakeConstSpan({3.f, 4.f, 5.f, 6.f, 1.f, 2.f}));
  EXPECT_EQ(joined.values.data(), values);
  EXPECT_EQ(joined.num_dimensions, 2);
  EXPECT_EQ(joined.Rows(1, 3).Row(0), joined.Row(1));
  rows = {.num_dimensions = 7, .values = {}};
  EXPECT_EQ(MakeDenseDocuments(std::move(rows)).num_dimensions, 7);
}

}  // namespace
}  // namespace warpclust
