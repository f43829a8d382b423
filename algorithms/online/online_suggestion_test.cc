// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/online_suggestion.h"

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/online/online_clusterer.h"
#include "base/numbers/random.h"
#include "graph/cover/cover.h"
#include "graph/significance/pair_chances.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

const std::vector<Weighting>& Both() {
  static const auto* const both =
      new std::vector<Weighting>{Weighting::kTf, Weighting::kTfIdf};
  return *both;
}

// Stories of ten documents; three terms in ten are of no story.
DocumentMatrix Stories(int32_t stories) {
  Random random(4);
  DocumentMatrix documents;
  documents.num_terms = 100 + 15 * stories;
  for (int32_t d = 0; d < 10 * stories; ++d) {
    std::map<int32_t, float> row;
    for (int i = 0; i < 12; ++i) {
      const auto of_story = static_cast<int32_t>(random.Below(15));
      ++row[random.Below(10) < 3 ? static_cast<int32_t>(random.Below(100))
                                 : 100 + 15 * (d % stories) + of_story];
    }
    for (const auto& [term, count] : row) {
      documents.terms.push_back(term);
      documents.weights.push_back(count);
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

TEST(OnlineSuggestionTest, TakesTheBestCandidate) {
  const DocumentMatrix documents = Stories(20);
  OnlineOptions options;
  options.threshold = "0.77";
  options.merge_every = 50;
  const absl::StatusOr<OnlineSuggestion> suggestion =
      SuggestOnline(documents, {}, options, Both());
  ASSERT_EQ(suggestion.status(), absl::OkStatus());
  ASSERT_EQ(suggestion->candidates.size(), 1u + 4 * 18);
  EXPECT_EQ(FormatDecimal(suggestion->candidates[0].threshold), "0.77");
  EXPECT_EQ(FormatDecimal(suggestion->candidates[18].threshold), "0.9");
  const CsrGraph chances = *EstimatePairChances(documents, Both(), {});
  bool found = false;
  for (const OnlineCandidate& candidate : suggestion->candidates) {
    EXPECT_LE(candidate.expected.f, suggestion->expected.f);
    // The same by the clusterer, with the merges of the stream.
    OnlineOptions setting = options;
    setting.threshold = candidate.threshold;
    setting.terms = candidate.terms;
    OnlineClusterer clusterer = *OnlineClusterer::Create(setting, {});
    std::vector<int32_t> clusters(documents.num_documents());
    ASSERT_TRUE(clusterer.Add(documents, {}, absl::MakeSpan(clusters)).ok());
    for (const OnlineMerge& merge : clusterer.merges()) {
      for (int32_t& cluster : clusters) {
        if (cluster == merge.from) cluster = merge.into;
      }
    }
    std::map<int32_t, std::vector<int32_t>> members;
    for (int32_t d = 0; d < documents.num_documents(); ++d) {
      members[clusters[d]].push_back(d);
    }
    Cover cover;
    for (const auto& [cluster, documents_of] : members) {
      cover.Append(documents_of);
    }
    EXPECT_EQ(cover.num_clusters(), candidate.clusters);
    EXPECT_EQ(ComputeExpectedBCubed(cover, chances)->f, candidate.expected.f);
    found = found || (candidate.terms == suggestion->terms &&
                      candidate.expected.f == suggestion->expected.f);
  }
  EXPECT_TRUE(found);
  EXPECT_GT(suggestion->expected.f, suggestion->candidates[0].expected.f);
}

TEST(OnlineSuggestionTest, StaysWhereNothingIsKnown) {
  const OnlineSuggestion few =
      *SuggestOnline(Stories(6), {}, OnlineOptions(), Both());
  EXPECT_TRUE(few.candidates.empty());
  EXPECT_EQ(FormatDecimal(few.threshold), "0.2");
  EXPECT_EQ(few.terms, 20);
  DocumentMatrix empty;
  empty.offsets.assign(101, 0);
  EXPECT_TRUE(
      SuggestOnline(empty, {}, OnlineOptions(), Both())->candidates.empty());
  OnlineOptions wrong;
  wrong.terms = 0;
  EXPECT_EQ(SuggestOnline(empty, {}, wrong, Both()).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
