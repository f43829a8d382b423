// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/bound/semidefinite_certificate.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/io/lines/line_reader.h"
#include "base/numbers/random.h"
#include "eval/bound/bound_certificate.h"
#include "graph/signed/signed_graph.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using eval_internal::IsPositiveSemidefinite;

// A triangle with one negative edge: the optimum is 1.
absl::StatusOr<BoundCertificate> Verify(const std::string& text) {
  const std::vector<SignedEdge> edges = {{0, 1, 1}, {1, 2, 1}, {0, 2, -1}};
  LineReader lines = LineReader::FromString(text, "proof");
  return VerifyBoundCertificate(*BuildSignedGraph(3, edges), lines);
}

TEST(SemidefiniteCertificateTest, AcceptsAProof) {
  // The eigenvalues of the weights are 1, 1 and -2.
  const auto result = Verify(
      "lower_bound 1 units_per_one 1 parts 1000 semidefinite\n"
      "1003\n1003\n1003\n");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->lower_bound, 1);
  EXPECT_TRUE(result->semidefinite);
  EXPECT_EQ(result->cycles, 0);
  // Any larger numbers prove less.
  EXPECT_TRUE(Verify("lower_bound 0 units_per_one 1 parts 1000 semidefinite\n"
                     "1300 1 20 2 30\n1300 2 0\n1300\n")
                  .ok());
}

TEST(SemidefiniteCertificateTest, RefusesEverythingElse) {
  const std::string head =
      "lower_bound 1 units_per_one 1 parts 1000 semidefinite\n";
  for (const std::string& text :
       {head, head + "1003\n1003\n",           // Too few lines.
        head + "1003\n1003\n1003\n1 0 2 1\n",  // Too many.
        head + "999\n999\n999\n",              // Not semidefinite.
        head + "1400\n1400\n1400\n",           // Not enough.
        head + "1003 1\n1003\n1003\n",         // No number.
        head + "1003 3 1\n1003\n1003\n",       // No such vertex.
        head + "1003 2 0 1 0\n1003\n1003\n",   // Not ascending.
        head + "1003 1 -500\n1003\n1003\n",    // A negative number.
        head + "1003 1 500\n1003\n1003\n",     // Not semidefinite.
        head + "1003\n1003 1 0\n1003\n",       // Not above the vertex.
        head + "-1003\n1003\n1003\n", head + "1003 \n1003\n1003\n",
        head + "9999999999999999\n1003\n1003\n",
        std::string("lower_bound 1 units_per_one 1 semidefinite\n1\n1\n1\n"),
        std::string("lower_bound 1 units_per_one 1 parts 1048577 semidefinite"
                    "\n1\n1\n1\n")}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Verify(text).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

// The matrix of all 1 has the eigenvalues 0 and n.
TEST(SemidefiniteCertificateTest, DecidesNearTheEdge) {
  for (const int64_t n : {1, 2, 7, 40, 100}) {
    for (const int64_t scale : {int64_t{1} << 20, int64_t{1} << 45}) {
      SCOPED_TRACE(n);
      std::vector<int64_t> matrix(n * n, scale);
      const auto shifted = [&](int64_t shift) {
        std::vector<int64_t> result = matrix;
        for (int64_t i = 0; i < n; ++i) result[i * n + i] += shift;
        return IsPositiveSemidefinite(result, n);
      };
      EXPECT_TRUE(shifted(4 + n * n * (scale >> 29)));
      EXPECT_FALSE(shifted(-1) && n > 1);
      EXPECT_FALSE(shifted(-scale - 1));
    }
  }
}

TEST(SemidefiniteCertificateTest, NoMatrixWithANegativeSquarePasses) {
  Random random(1);
  int accepted = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const int64_t n = 2 + static_cast<int64_t>(random.Below(3));
    std::vector<int64_t> matrix(n * n);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = i; j < n; ++j) {
        const auto entry = static_cast<int64_t>(random.Below(21)) - 10;
        matrix[i * n + j] = matrix[j * n + i] = entry + (i == j ? 14 : 0);
      }
    }
    if (!IsPositiveSemidefinite(matrix, n)) continue;
    ++accepted;
    // Small integer vectors.
    std::vector<int64_t> x(n, -3);
    while (true) {
      int64_t square = 0;
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j)
          square += x[i] * x[j] * matrix[i * n + j];
      }
      ASSERT_GE(square, 0);
      int64_t k = 0;
      while (k < n && ++x[k] > 3) x[k++] = -3;
      if (k == n) break;
    }
  }
  EXPECT_GT(accepted, 300);
}

}  // namespace
}  // namespace warpclust
