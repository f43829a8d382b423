// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_choice.h"

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/dense/random_embeddings.h"

namespace warpclust {
namespace {

// Topics of ten documents; three terms in ten are of no topic.
DocumentMatrix Topics(int32_t topics) {
  Random random(9);
  DocumentMatrix documents;
  documents.num_terms = 100 + 15 * topics;
  for (int32_t d = 0; d < 10 * topics; ++d) {
    std::map<int32_t, float> row;
    for (int i = 0; i < 12; ++i) {
      const auto of_topic = static_cast<int32_t>(random.Below(15));
      ++row[random.Below(10) < 3 ? static_cast<int32_t>(random.Below(100))
                                 : 100 + 15 * (d % topics) + of_topic];
    }
    for (const auto& [term, count] : row) {
      documents.terms.push_back(term);
      documents.weights.push_back(count);
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

TEST(OClustRChoiceTest, TakesTheBestCandidate) {
  const DocumentMatrix counts = Topics(30);
  const absl::StatusOr<OClustRChoice> choice = ChooseOClustR(counts, {});
  ASSERT_EQ(choice.status(), absl::OkStatus());
  EXPECT_EQ(choice->why, OClustRChoice::Why::kBest);
  EXPECT_EQ(choice->num_documents, 300);
  ASSERT_EQ(choice->candidates.size(), 38u);
  EXPECT_EQ(FormatDecimal(choice->candidates[1].beta), "0.1");
  EXPECT_EQ(FormatDecimal(choice->candidates[18].beta), "0.95");
  bool found = false;
  for (const OClustRCandidate& candidate : choice->candidates) {
    EXPECT_LE(candidate.expected.f, choice->expected.f);
    found = found ||
            (candidate.weighting == choice->weighting &&
             FormatDecimal(candidate.beta) == FormatDecimal(choice->beta) &&
             candidate.expected.f == choice->expected.f);
  }
  EXPECT_TRUE(found);
  EXPECT_GT(choice->expected.f, 0.6);
  OClustRChoiceOptions one;
  one.num_threads = 1;
  one.weightings = {Weighting::kTfIdf};
  EXPECT_EQ(ChooseOClustR(counts, one)->weighting, Weighting::kTfIdf);
  one.max_documents = 100;
  EXPECT_EQ(ChooseOClustR(counts, one)->num_documents, 100);
}

TEST(OClustRChoiceTest, StaysWhereNothingIsKnown) {
  OClustRChoice choice = *ChooseOClustR(Topics(6), {});
  EXPECT_EQ(choice.why, OClustRChoice::Why::kFewDocuments);
  EXPECT_EQ(choice.weighting, Weighting::kTf);
  EXPECT_EQ(FormatDecimal(choice.beta), "0.25");
  DocumentMatrix equal;
  equal.num_terms = 2;
  for (int d = 0; d < 100; ++d) {
    equal.terms.insert(equal.terms.end(), {0, 1});
    equal.weights.insert(equal.weights.end(), {1, 1});
    equal.offsets.push_back(equal.num_entries());
  }
  choice = *ChooseOClustR(equal, {});
  EXPECT_EQ(choice.why, OClustRChoice::Why::kNothingAboveChance);
  EXPECT_EQ(FormatDecimal(choice.beta), "0.25");
  DocumentMatrix empty;
  empty.offsets.assign(101, 0);
  EXPECT_EQ(ChooseOClustR(empty, {})->why,
            OClustRChoice::Why::kNothingAboveChance);
  EXPECT_EQ(ChooseOClustR(DocumentMatrix(), {})->num_documents, 0);
}

TEST(OClustRChoiceTest, DenseDocuments) {
  // Cosines of about 0.74 within a direction, none above 0.6 across.
  const DenseDocuments rows = MakeRandomEmbeddings(
      {.dimensions = 100, .directions = 20, .noise = 0.6}, 400, 1);
  for (const int threads : {1, 3}) {
    OClustRChoiceOptions options;
    options.num_threads = threads;
    const absl::StatusOr<OClustRChoice> choice = ChooseOClustR(rows, options);
    ASSERT_EQ(choice.status(), absl::OkStatus());
    EXPECT_EQ(choice->why, OClustRChoice::Why::kBest);
    ASSERT_EQ(choice->candidates.size(), 23u);
    EXPECT_EQ(FormatDecimal(choice->candidates[18].beta), "0.95");
    EXPECT_EQ(FormatDecimal(choice->candidates[19].beta), "0.96");
    EXPECT_EQ(FormatDecimal(choice->candidates[22].beta), "0.99");
    for (const OClustRCandidate& candidate : choice->candidates) {
      EXPECT_LE(candidate.expected.f, choice->expected.f + 0.002);
    }
    // The middle of what separates directions.
    EXPECT_GE(choice->beta.ToDouble(), 0.4);
    EXPECT_LE(choice->beta.ToDouble(), 0.6);
    EXPECT_GT(choice->expected.f, 0.99);
  }
  OClustRChoiceOptions some;
  some.max_documents = 100;
  EXPECT_EQ(ChooseOClustR(rows, some)->num_documents, 100);
  EXPECT_EQ(ChooseOClustR(rows.Rows(0, 63), {})->why,
            OClustRChoice::Why::kFewDocuments);
  EXPECT_EQ(ChooseOClustR(DenseDocuments(), {})->num_documents, 0);
  // Equal rows are as similar by chance.
  const DenseDocuments equal =
      MakeDenseDocuments(std::vector<float>(200, 1), 100);
  EXPECT_EQ(ChooseOClustR(equal, {})->why,
            OClustRChoice::Why::kNothingAboveChance);
  EXPECT_EQ(FormatDecimal(ChooseOClustR(equal, {})->beta), "0.25");
}

TEST(OClustRChoiceTest, Errors) {
  OClustRChoiceOptions options;
  options.max_documents = 63;
  EXPECT_EQ(ChooseOClustR(DocumentMatrix(), options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options = {};
  options.weightings.clear();
  EXPECT_EQ(ChooseOClustR(DocumentMatrix(), options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
