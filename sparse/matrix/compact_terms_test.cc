// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/matrix/compact_terms.h"

#include <random>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

TEST(CompactTermsTest, KeepsOrderAndNamesTheOldTerms) {
  // Dense, sparse and very sparse columns take different ways.
  constexpr unsigned kSeed = 8;
  std::mt19937 random(kSeed);
  for (int32_t num_terms : {1, 10, 3000, 1000000, 2147483647}) {
    DocumentMatrix m;
    m.num_terms = num_terms;
    for (int d = 0; d < 30; ++d) {
      std::set<int32_t> row;
      for (int i = random() % 6; i > 0; --i) row.insert(random() % num_terms);
      for (int32_t term : row) {
        m.terms.push_back(term);
        m.weights.push_back(static_cast<float>(1 + random() % 9));
      }
      m.offsets.push_back(m.num_entries());
    }
    DocumentMatrix compact = m;
    const std::vector<int32_t> old = CompactTerms(&compact);
    ASSERT_TRUE(ValidateDocuments(compact).ok()) << "seed " << kSeed;
    EXPECT_EQ(compact.offsets, m.offsets);
    EXPECT_EQ(compact.weights, m.weights);
    EXPECT_EQ(compact.num_terms, static_cast<int32_t>(old.size()));
    EXPECT_EQ(std::set<int32_t>(m.terms.begin(), m.terms.end()),
              std::set<int32_t>(old.begin(), old.end()));
    for (size_t e = 0; e < m.terms.size(); ++e) {
      ASSERT_EQ(old[compact.terms[e]], m.terms[e]);
    }
  }
}

TEST(CompactTermsTest, NoEntries) {
  DocumentMatrix m = {{0, 0}, {}, {}, 7};
  EXPECT_TRUE(CompactTerms(&m).empty());
  EXPECT_EQ(m.num_terms, 0);
  EXPECT_EQ(m.num_documents(), 1);
}

}  // namespace
}  // namespace warpclust
