// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_choice.h"

#include <cstdint>
#include <map>

#include "absl/status/status.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

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
  EXPECT_EQ(ChooseOClustR({}, {})->num_documents, 0);
}

TEST(OClustRChoiceTest, Errors) {
  OClustRChoiceOptions options;
  options.max_documents = 63;
  EXPECT_EQ(ChooseOClustR({}, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options = {};
  options.weightings.clear();
  EXPECT_EQ(ChooseOClustR({}, options).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
