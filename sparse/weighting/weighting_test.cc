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

// Enough entries for all threads; some weights become 0.
TEST(WeightingTest, AnyNumberOfThreads) {
  constexpr int32_t kDocuments = 1 << 17;
  constexpr int32_t kTerms = 50;
  DocumentMatrix counts;
  counts.num_terms = kTerms;
  for (int32_t d = 0; d < kDocuments; ++d) {
    // Term 0 is in all documents: its factor is ln 1.
    for (const int32_t term : {0, 1 + d % 20, 21 + d % (kTerms - 21)}) {
      counts.terms.push_back(term);
      counts.weights.push_back(static_cast<float>(1 + d % 7));
    }
    counts.offsets.push_back(counts.num_entries());
  }
  std::vector<int32_t> frequencies(kTerms);
  for (const int32_t term : counts.terms) ++frequencies[term];
  DocumentMatrix expected;
  for (int32_t d = 0; d < kDocuments; ++d) {
    for (int64_t e = counts.offsets[d] + 1; e < counts.offsets[d + 1]; ++e) {
      const int32_t term = counts.terms[e];
      expected.terms.push_back(term);
      expected.weights.push_back(
          static_cast<float>(counts.weights[e] *
                             std::log(double{kDocuments} / frequencies[term])));
    }
    expected.offsets.push_back(expected.num_entries());
  }
  for (const int threads : {1, 2, 7, 16}) {
    EXPECT_EQ(DocumentFrequencies(counts, threads), frequencies) << threads;
    const absl::StatusOr<DocumentMatrix> m =
        ApplyWeighting(counts, Weighting::kTfIdf, threads);
    ASSERT_TRUE(m.ok()) << m.status();
    EXPECT_EQ(m->offsets, expected.offsets) << threads;
    EXPECT_EQ(m->terms, expected.terms) << threads;
    EXPECT_EQ(m->weights, expected.weights) << threads;
    // The first of two bad weights is named.
    DocumentMatrix bad = counts;
    bad.weights[3 * 1000 + 1] = bad.weights[3 * 100000 + 2] = -1;
    const absl::Status status =
        ApplyWeighting(bad, Weighting::kTfIdf, threads).status();
    EXPECT_TRUE(absl::StrContains(status.message(), "document 1000, term"))
        << status;
  }
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
