// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/bound/positive_definite.h"

#include <cstdint>
#include <vector>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// All entries 1: the eigenvalues are 0 and n.
TEST(PositiveDefiniteTest, DecidesNearTheEdge) {
  for (const int64_t n : {1, 2, 9, 50, 130}) {
    for (const int64_t scale : {int64_t{1}, int64_t{1} << 20}) {
      SCOPED_TRACE(n);
      std::vector<int64_t> matrix(n * n, scale);
      for (int64_t i = 0; i < n; ++i) matrix[i * n + i] += 100;
      EXPECT_TRUE(IsPositiveDefinite(matrix, n, 0));
      EXPECT_TRUE(IsPositiveDefinite(matrix, n, 97));
      EXPECT_FALSE(IsPositiveDefinite(matrix, n, 101 + (n == 1 ? scale : 0)));
      for (int64_t i = 0; i < n; ++i) matrix[i * n + i] -= 101;
      EXPECT_EQ(IsPositiveDefinite(matrix, n, 0), n == 1 && scale > 2);
    }
  }
}

// Against Sylvester's criterion, in integers.
TEST(PositiveDefiniteTest, SmallMatrices) {
  Random random(1);
  int accepted = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    int64_t a[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        a[i][j] = static_cast<int64_t>(random.Below(2001)) - 1000 +
                  (i == j ? 1000 : 0);
        a[j][i] = a[i][j];
      }
    }
    const int64_t minor = a[0][0] * a[1][1] - a[0][1] * a[0][1];
    const int64_t determinant =
        minor * a[2][2] + 2 * a[0][1] * a[1][2] * a[0][2] -
        a[0][0] * a[1][2] * a[1][2] - a[1][1] * a[0][2] * a[0][2];
    const bool positive = a[0][0] > 0 && minor > 0 && determinant > 0;
    std::vector<int64_t> matrix;
    for (const auto& row : a) matrix.insert(matrix.end(), row, row + 3);
    // Never wrong, and a slack of 3 is seldom missed.
    if (IsPositiveDefinite(matrix, 3, 0)) {
      EXPECT_TRUE(positive);
      ++accepted;
    } else if (positive) {
      for (int i = 0; i < 3; ++i) matrix[4 * i] += 3;
      EXPECT_TRUE(IsPositiveDefinite(matrix, 3, 0));
    }
  }
  EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace warpclust
