// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/weighting/weighting.h"

#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// {0: 2, 1: 1}, {0: 1}, {}, {0: 1, 3: 4}; term 2 occurs nowhere.
DocumentMatrix Counts() {
  return {{0, 2, 3, 3, 5}, {0, 1, 0, 0, 3}, {2, 1, 1, 1, 4}, 4};
}

TEST(WeightingTest, Names) {
  EXPECT_EQ(*ParseWeighting("tf"), Weighting::kTf);
  EXPECT_EQ(*ParseWeighting("tfidf"), Weighting::kTfIdf);
  EXPECT_EQ(WeightingName(Weighting::kTf), "tf");
  EXPECT_EQ(WeightingName(Weighting::kTfIdf), "tfidf");
  const absl::Status status = ParseWeighting("TF").status();
  EXPECT_EQ(status.message(),
            "weighting: expected 'tf' or 'tfidf', found 'TF'");
}

TEST(WeightingTest, TfIsTheIdentity) {
  const absl::StatusOr<DocumentMatrix> tf =
      ApplyWeighting(Counts(), Weighting::kTf);
  ASSERT_TRUE(tf.ok());
  EXPECT_EQ(tf->terms, Counts().terms);
  EXPECT_EQ(tf->weights, Counts().weights);
}

TEST(WeightingTest, TfIdfByHand) {
  EXPECT_EQ(DocumentFrequencies(Counts()), (std::vector<int32_t>{3, 1, 0, 1}));
  const absl::StatusOr<DocumentMatrix> m =
      ApplyWeighting(Counts(), Weighting::kTfIdf);
  ASSERT_TRUE(m.ok()) << m.status();
  EXPECT_TRUE(ValidateDocuments(*m).ok());
  EXPECT_EQ(m->offsets, Counts().offsets);
  EXPECT_EQ(m->terms, Counts().terms);
  EXPECT_EQ(m->weights,
            (std::vector<float>{static_cast<float>(2 * std::log(4.0 / 3)),
                                static_cast<float>(std::log(4.0)),
                                static_cast<float>(std::log(4.0 / 3)),
                                static_cast<float>(std::log(4.0 / 3)),
                                static_cast<float>(4 * std::log(4.0))}));
}

TEST(WeightingTest, TermsOfAllDocumentsAreDropped) {
  const DocumentMatrix counts = {{0, 2, 3}, {0, 1, 0}, {1, 5, 3}, 2};
  const absl::StatusOr<DocumentMatrix> m =
      ApplyWeighting(counts, Weighting::kTfIdf);
  ASSERT_TRUE(m.ok());
  EXPECT_TRUE(ValidateDocuments(*m).ok());
  EXPECT_EQ(m->offsets, (std::vector<int64_t>{0, 1, 1}));
  EXPECT_EQ(m->terms, (std::vector<int32_t>{1}));
  EXPECT_EQ(m->num_terms, 2);
}

TEST(WeightingTest, NoDocuments) {
  EXPECT_EQ(ApplyWeighting({}, Weighting::kTfIdf)->num_documents(), 0);
}

TEST(WeightingTest, OverflowAndUnderflow) {
  const float largest = std::numeric_limits<float>::max();
  // ln(4 / 1) > 1.
  const DocumentMatrix large = {{0, 1, 1, 1, 1}, {0}, {largest}, 1};
  const absl::Status overflow =
      ApplyWeighting(large, Weighting::kTfIdf).status();
  EXPECT_EQ(overflow.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(overflow.message(), "document 0, term 0"))
      << overflow;
  // ln(3 / 2) < 1/2 rounds the smallest denormal to 0.
  const float smallest = std::numeric_limits<float>::denorm_min();
  const DocumentMatrix small = {{0, 1, 2, 2}, {0, 0}, {smallest, 1}, 1};
  const absl::StatusOr<DocumentMatrix> m =
      ApplyWeighting(small, Weighting::kTfIdf);
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->offsets, (std::vector<int64_t>{0, 0, 1, 1}));
}

TEST(WeightingTest, ScaleTermsNeedsAFactorATerm) {
  EXPECT_FALSE(ScaleTerms(Counts(), {1.0, 1.0}).ok());
  const absl::StatusOr<DocumentMatrix> m =
      ScaleTerms(Counts(), {0.0, 2.0, 1.0, 0.5});
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->terms, (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(m->weights, (std::vector<float>{2, 2}));
  EXPECT_FALSE(ScaleTerms(Counts(), {-1.0, 1.0, 1.0, 1.0}).ok());
}

}  // namespace
}  // namespace warpclust
