// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/weighting/top_terms.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(TopTermsTest, TiesGoToTheSmallerTerm) {
  const DocumentMatrix m = {{0, 4, 4, 5}, {1, 3, 5, 7, 2}, {2, 1, 2, 2, 9}, 8};
  const absl::StatusOr<DocumentMatrix> top = KeepTopTerms(m, 2);
  ASSERT_TRUE(top.ok());
  EXPECT_EQ(top->offsets, (std::vector<int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(top->terms, (std::vector<int32_t>{1, 5, 2}));
  EXPECT_EQ(top->weights, (std::vector<float>{2, 2, 9}));
  EXPECT_EQ(top->num_terms, 8);
}

TEST(TopTermsTest, BadCount) {
  for (int32_t count : {0, -1}) {
    EXPECT_EQ(KeepTopTerms({}, count).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(TopTermsTest, AgreesWithRanksCountedOneByOne) {
  constexpr unsigned kSeed = 9;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 100; ++round) {
    DocumentMatrix m;
    m.num_terms = 40;
    for (int d = random() % 10; d > 0; --d) {
      for (int32_t t = 0; t < 40; ++t) {
        if (random() % 3 != 0) continue;
        m.terms.push_back(t);
        m.weights.push_back(static_cast<float>(1 + random() % 4));
      }
      m.offsets.push_back(m.num_entries());
    }
    const int32_t count = 1 + random() % 15;
    const absl::StatusOr<DocumentMatrix> top = KeepTopTerms(m, count);
    ASSERT_TRUE(top.ok());
    ASSERT_TRUE(ValidateDocuments(*top).ok());
    for (int32_t d = 0; d < m.num_documents(); ++d) {
      std::vector<int32_t> expected;
      for (size_t i = 0; i < m.TermsOf(d).size(); ++i) {
        int better = 0;
        for (size_t j = 0; j < m.TermsOf(d).size(); ++j) {
          const float a = m.WeightsOf(d)[j], b = m.WeightsOf(d)[i];
          better += a > b || (a == b && j < i);
        }
        if (better < count) expected.push_back(m.TermsOf(d)[i]);
      }
      ASSERT_EQ(top->TermsOf(d), absl::MakeConstSpan(expected))
          << "seed " << kSeed << " round " << round;
    }
  }
}

}  // namespace
}  // namespace warpclust
