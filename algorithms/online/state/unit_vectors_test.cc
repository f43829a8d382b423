// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/online/state/unit_vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

constexpr int32_t kOne = 1 << 30;

DocumentMatrix OneDocument(const std::vector<float>& weights) {
  DocumentMatrix documents;
  for (size_t i = 0; i < weights.size(); ++i) {
    documents.terms.push_back(static_cast<int32_t>(i));
  }
  documents.weights = weights;
  documents.offsets = {0, static_cast<int64_t>(weights.size())};
  documents.num_terms = static_cast<int32_t>(weights.size());
  return documents;
}

UnitVectors Make(const DocumentMatrix& documents, int32_t terms) {
  absl::StatusOr<UnitVectors> vectors = MakeUnitVectors(documents, terms);
  EXPECT_TRUE(vectors.ok()) << vectors.status();
  EXPECT_TRUE(ValidateUnitVectors(*vectors, terms).ok());
  return *vectors;
}

TEST(UnitVectorsTest, ByHand) {
  // 3, 4 is 0.6, 0.8 of 2^30: 644245094.4 and 858993459.2.
  const UnitVectors vectors = Make(OneDocument({3, 4}), 20);
  EXPECT_EQ(vectors.terms, (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(vectors.weights, (std::vector<int32_t>{644245094, 858993459}));
  EXPECT_EQ(vectors.offsets, (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(vectors.num_terms, 2);
}

TEST(UnitVectorsTest, KeepsTheHeaviestBeforeItNormalises) {
  // 5 is longer than what is kept: had it been normalized first, 0.6 and 0.8
  // would not come out.
  const UnitVectors vectors = Make(OneDocument({1, 3, 2, 4, 2}), 2);
  EXPECT_EQ(vectors.terms, (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(vectors.weights, (std::vector<int32_t>{644245094, 858993459}));
}

TEST(UnitVectorsTest, TiesGoToTheSmallerTerm) {
  EXPECT_EQ(Make(OneDocument({1, 1, 2, 1, 1}), 3).terms,
            (std::vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(Make(OneDocument({1, 2, 1, 2, 1}), 1).terms,
            (std::vector<int32_t>{1}));
}

TEST(UnitVectorsTest, HugeAndTinyWeights) {
  const float huge = std::numeric_limits<float>::max();
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(Make(OneDocument({huge}), 20).weights, std::vector<int32_t>{kOne});
  EXPECT_EQ(Make(OneDocument({tiny}), 20).weights, std::vector<int32_t>{kOne});
  EXPECT_EQ(Make(OneDocument({tiny, tiny}), 20).weights,
            (std::vector<int32_t>{759250125, 759250125}));
  EXPECT_EQ(Make(OneDocument(std::vector<float>(128, huge)), 128).weights,
            std::vector<int32_t>(128, 94906266));
  // What rounds to 0 is dropped: 2^-31 is the first that does not.
  const UnitVectors dropped = Make(OneDocument({0x1p-32f, 1, 0x1p-31f}), 20);
  EXPECT_EQ(dropped.terms, (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(dropped.weights, (std::vector<int32_t>{kOne, 1}));
}

TEST(UnitVectorsTest, NoDocumentsAndDocumentsWithoutTerms) {
  EXPECT_EQ(Make(DocumentMatrix{}, 1).size(), 0);
  DocumentMatrix empty;
  empty.offsets = {0, 0, 0};
  const UnitVectors vectors = Make(empty, 1);
  EXPECT_EQ(vectors.size(), 2);
  EXPECT_TRUE(vectors.TermsOf(1).empty());
  EXPECT_EQ(MakeUnitVectors(empty, 0).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(UnitVectorsTest, RandomDocumentsAgainstSorting) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto terms = static_cast<int32_t>(1 + random.Below(40));
    std::vector<float> weights(random.Below(60));
    const bool ties = random.Below(2) == 0;
    for (float& weight : weights) {
      weight = ties ? static_cast<float>(1 + random.Below(3))
                    : std::ldexp(static_cast<float>(random.Unit() + 0.01),
                                 static_cast<int>(random.Below(40)) - 20);
    }
    std::vector<std::pair<float, int32_t>> ranked;
    for (size_t i = 0; i < weights.size(); ++i) {
      ranked.emplace_back(-weights[i], static_cast<int32_t>(i));
    }
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > static_cast<size_t>(terms)) ranked.resize(terms);
    long double squares = 0;
    for (const auto& [negated, term] : ranked) {
      squares += static_cast<long double>(negated) * negated;
    }
    const UnitVectors vectors = Make(OneDocument(weights), terms);
    size_t at = 0;
    std::sort(ranked.begin(), ranked.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const auto& [negated, term] : ranked) {
      const long double exact = -negated / std::sqrt(squares) * kOne;
      const bool is_next =
          at < vectors.terms.size() && vectors.terms[at] == term;
      if (!is_next) {
        EXPECT_LT(exact, 0.50001L) << "term " << term;
        continue;
      }
      EXPECT_LT(std::abs(exact - vectors.weights[at]), 0.50001L);
      ++at;
    }
    EXPECT_EQ(at, vectors.terms.size());
  }
}

// Large enough for seven threads; some weights round to 0.
DocumentMatrix ManyDocuments() {
  constexpr int32_t kTerms = 1000;
  Random random(5);
  DocumentMatrix documents;
  documents.num_terms = kTerms;
  while (documents.num_entries() < 7 << 14) {
    for (auto term = static_cast<int32_t>(random.Below(40)); term < kTerms;
         term += 1 + static_cast<int32_t>(random.Below(80))) {
      documents.terms.push_back(term);
      documents.weights.push_back(
          random.Below(30) == 0 ? 0x1p-40f
                                : static_cast<float>(1 + random.Below(9)));
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

TEST(UnitVectorsTest, ThreadsDoNotShow) {
  const DocumentMatrix documents = ManyDocuments();
  const UnitVectors one = *MakeUnitVectors(documents, 30, 1);
  ASSERT_LT(one.terms.size(), documents.terms.size());
  for (const int num_threads : {2, 7}) {
    SCOPED_TRACE(num_threads);
    const UnitVectors made = *MakeUnitVectors(documents, 30, num_threads);
    EXPECT_EQ(made.offsets, one.offsets);
    EXPECT_EQ(made.terms, one.terms);
    EXPECT_EQ(made.weights, one.weights);
  }
  UnitVectors bad = one;
  bad.weights[bad.offsets[bad.size() / 3]] = 0;
  bad.weights[bad.offsets[bad.size() - 1]] = 0;
  for (const int num_threads : {1, 2, 7}) {
    EXPECT_TRUE(ValidateUnitVectors(one, 30, num_threads).ok());
    EXPECT_EQ(ValidateUnitVectors(bad, 30, num_threads),
              ValidateUnitVectors(bad, 30, 1));
    EXPECT_TRUE(absl::StrContains(
        ValidateUnitVectors(bad, 30, num_threads).message(),
        absl::StrCat("document ", bad.size() / 3, ", entry 0:")));
  }
}

TEST(UnitVectorsTest, AnErrorNamesTheDocument) {
  const UnitVectors good = Make(OneDocument({3, 4}), 2);
  const auto expect = [](const UnitVectors& vectors, const char* part) {
    const absl::Status status = ValidateUnitVectors(vectors, 2);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << part;
    EXPECT_TRUE(absl::StrContains(status.message(), part)) << status;
  };
  UnitVectors bad = good;
  bad.offsets = {};
  expect(bad, "offsets");
  bad = good;
  bad.offsets = {0, 3};
  expect(bad, "offsets");
  bad = good;
  bad.offsets = {0, 3, 2};
  expect(bad, "offsets");
  bad = good;
  bad.weights.pop_back();
  expect(bad, "offsets");
  bad = good;
  bad.terms = {1, 1};
  expect(bad, "entry 1: expected a term above 1");
  bad.terms = {-1, 1};
  expect(bad, "entry 0: expected a term above -1");
  bad.terms = {0, 2};
  expect(bad, "below 2, found 2");
  bad = good;
  bad.weights[0] = 0;
  expect(bad, "entry 0: expected weights");
  bad.weights[0] = kOne + 1;
  expect(bad, "entry 0: expected weights");
  bad.weights = {kOne, kOne};
  expect(bad, "entry 1: expected weights");
  bad = Make(OneDocument({1, 2, 3}), 3);
  expect(bad, "document 0: expected at most 2 terms, found 3");
}

// Whether similarity / 2^60 > threshold, in whole numbers.
bool Exceeds(int64_t similarity, const Decimal& threshold) {
  return static_cast<__int128>(similarity) * threshold.denominator >
         static_cast<__int128>(threshold.numerator) << 60;
}

TEST(SimilarityAboveTest, IsExactForDecimals) {
  EXPECT_EQ(SimilarityAbove({0, 1}), 0);
  EXPECT_EQ(SimilarityAbove({5, 10}), int64_t{1} << 59);
  EXPECT_EQ(SimilarityAbove({3, 10}), 345876451382054092);
  EXPECT_EQ(SimilarityAbove({1, 1}), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(SimilarityAbove({10, 10}), std::numeric_limits<int64_t>::max());
  for (int64_t denominator = 1; denominator <= 1000000000; denominator *= 10) {
    Random random(denominator);
    for (int i = 0; i < 1000; ++i) {
      const Decimal threshold = {
          static_cast<int64_t>(random.Below(denominator)), denominator};
      const int64_t above = SimilarityAbove(threshold);
      EXPECT_FALSE(Exceeds(above, threshold)) << FormatDecimal(threshold);
      EXPECT_TRUE(Exceeds(above + 1, threshold)) << FormatDecimal(threshold);
    }
  }
}

TEST(UnitWeightTest, IsBetweenOneAndOne) {
  EXPECT_EQ(UnitWeight(1, UnitScale(0, 1)), kOne);
  EXPECT_EQ(UnitWeight(3, UnitScale(0, 25)), 644245094);
  // 2^62 squared is 2^124.
  EXPECT_EQ(UnitWeight(int64_t{1} << 62, UnitScale(uint64_t{1} << 60, 0)),
            kOne);
  // Beside it a sum of 1 would vanish, but the cluster has the term.
  EXPECT_EQ(UnitWeight(1, UnitScale(uint64_t{1} << 60, 0)), 1);
  EXPECT_EQ(UnitWeight(1, UnitScale(0, uint64_t{1} << 62)), 1);
}

}  // namespace
}  // namespace warpclust
