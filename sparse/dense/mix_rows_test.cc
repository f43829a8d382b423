// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/dense/mix_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {
namespace {

// The mean of each dimension, then the covariance of each pair of them.
std::vector<double> Moments(const DenseDocuments& rows) {
  const int32_t d = rows.num_dimensions;
  std::vector<double> moments(d + d * d);
  for (int32_t i = 0; i < rows.num_documents(); ++i) {
    for (int32_t k = 0; k < d; ++k) moments[k] += rows.Row(i)[k];
  }
  for (int32_t k = 0; k < d; ++k) moments[k] /= rows.num_documents();
  for (int32_t i = 0; i < rows.num_documents(); ++i) {
    for (int32_t k = 0; k < d; ++k) {
      for (int32_t m = 0; m < d; ++m) {
        moments[d + k * d + m] += (rows.Row(i)[k] - moments[k]) *
                                  (rows.Row(i)[m] - moments[m]) /
                                  rows.num_documents();
      }
    }
  }
  return moments;
}

TEST(MixRowsTest, KeepsMeanAndCovariance) {
  // Three directions: nothing like Gaussian.
  const DenseDocuments rows =
      MakeRandomEmbeddings({.dimensions = 4, .directions = 3, .noise = 0.2},
                           20000, /*num_threads=*/1);
  const DenseDocuments mixed = MixRows(rows, 1);
  ASSERT_EQ(mixed.num_documents(), 20000);
  ASSERT_EQ(mixed.num_dimensions, 4);
  EXPECT_TRUE(ValidateDenseDocuments(mixed).ok());
  const std::vector<double> expected = Moments(rows);
  const std::vector<double> found = Moments(mixed);
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 0.02) << i;
    largest = std::max(largest, std::abs(expected[i]));
  }
  EXPECT_GT(largest, 0.1);
  // A direction has a third of the rows within its noise; of Gaussian rows,
  // few are so near another's place.
  const auto near_first = [&](const DenseDocuments& documents) {
    int near = 0;
    for (int32_t i = 0; i < documents.num_documents(); ++i) {
      double square = 0;
      for (int32_t k = 0; k < 4; ++k) {
        const double gap = documents.Row(i)[k] - rows.Row(0)[k];
        square += gap * gap;
      }
      near += square < 0.1 ? 1 : 0;
    }
    return near;
  };
  EXPECT_GT(near_first(rows), 4000);
  EXPECT_LT(near_first(mixed), 2000);
}

TEST(MixRowsTest, SeedsAndEdges) {
  const DenseDocuments rows = MakeRandomEmbeddings({.dimensions = 5}, 20, 1);
  EXPECT_EQ(MixRows(rows, 7).values, MixRows(rows, 7).values);
  EXPECT_NE(MixRows(rows, 7).values, MixRows(rows, 8).values);
  EXPECT_EQ(MixRows(DenseDocuments(), 1).num_documents(), 0);
  // One row is its own mean.
  EXPECT_EQ(MixRows(MakeDenseDocuments({1, -2}, 1), 1).values,
            MakeDenseDocuments({1, -2}, 1).values);
}

}  // namespace
}  // namespace warpclust
