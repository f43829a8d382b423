// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/shuffle_terms.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {
namespace {

DocumentMatrix RandomDocuments(uint64_t seed, int32_t n, int32_t num_terms,
                               uint64_t most) {
  Random random(seed);
  DocumentMatrix documents;
  documents.num_terms = num_terms;
  for (int32_t d = 0; d < n; ++d) {
    const uint64_t size = random.Below(most + 1);
    for (int32_t t = 0; t < num_terms; ++t) {
      if (random.Below(static_cast<uint64_t>(num_terms)) >= size) continue;
      documents.terms.push_back(t);
      documents.weights.push_back(1.0f + static_cast<float>(random.Below(5)));
    }
    documents.offsets.push_back(documents.num_entries());
  }
  return documents;
}

std::vector<int64_t> Frequencies(const DocumentMatrix& documents) {
  std::vector<int64_t> result(documents.num_terms);
  for (const int32_t term : documents.terms) ++result[term];
  return result;
}

TEST(ShuffleTermsTest, KeepsSizesWeightsAndFrequencies) {
  const DocumentMatrix documents = RandomDocuments(1, 400, 300, 20);
  const DocumentMatrix shuffled = ShuffleTerms(documents, 7);
  ASSERT_EQ(ValidateDocuments(shuffled), absl::OkStatus());
  EXPECT_EQ(shuffled.offsets, documents.offsets);
  EXPECT_EQ(Frequencies(shuffled), Frequencies(documents));
  EXPECT_NE(shuffled.terms, documents.terms);
  for (int32_t d = 0; d < documents.num_documents(); ++d) {
    std::vector<float> before(documents.WeightsOf(d).begin(),
                              documents.WeightsOf(d).end());
    std::vector<float> after(shuffled.WeightsOf(d).begin(),
                             shuffled.WeightsOf(d).end());
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    ASSERT_EQ(after, before) << d;
  }
  EXPECT_EQ(ShuffleTerms(documents, 7).terms, shuffled.terms);
  EXPECT_NE(ShuffleTerms(documents, 8).terms, shuffled.terms);
}

// Each term of a row is as likely as its frequency says.
TEST(ShuffleTermsTest, PairsAreRandom) {
  DocumentMatrix documents;
  documents.num_terms = 4;
  for (int d = 0; d < 1000; ++d) {
    // Terms 0 and 1 always come together, and so do 2 and 3.
    documents.terms.insert(documents.terms.end(),
                           {d % 2 == 0 ? 0 : 2, d % 2 == 0 ? 1 : 3});
    documents.weights.insert(documents.weights.end(), {1, 1});
    documents.offsets.push_back(documents.num_entries());
  }
  const DocumentMatrix shuffled = ShuffleTerms(documents, 3);
  int together = 0;
  for (int32_t d = 0; d < 1000; ++d) {
    if (shuffled.TermsOf(d).size() < 2) continue;
    together += shuffled.TermsOf(d)[0] / 2 == shuffled.TermsOf(d)[1] / 2;
  }
  // One third, with a standard deviation of 15.
  EXPECT_GT(together, 270);
  EXPECT_LT(together, 400);
}

TEST(ShuffleTermsTest, FewTerms) {
  EXPECT_EQ(ShuffleTerms(DocumentMatrix(), 1).num_documents(), 0);
  // All documents are equal: so are the shuffled ones.
  DocumentMatrix equal;
  equal.num_terms = 2;
  for (int d = 0; d < 10; ++d) {
    equal.terms.insert(equal.terms.end(), {0, 1});
    equal.weights.insert(equal.weights.end(), {2, 2});
    equal.offsets.push_back(equal.num_entries());
  }
  const DocumentMatrix shuffled = ShuffleTerms(equal, 1);
  EXPECT_EQ(ValidateDocuments(shuffled), absl::OkStatus());
  EXPECT_EQ(shuffled.num_documents(), 10);
  EXPECT_GE(shuffled.num_entries(), 16);
}

}  // namespace
}  // namespace warpclust
