// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "sparse/term_lists/term_lists.h"

#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace warpclust {
namespace {

DocumentMatrix RandomDocuments(std::mt19937& random, int32_t num_documents,
                               int32_t num_terms, int gap) {
  DocumentMatrix m;
  m.num_terms = num_terms;
  for (int32_t d = 0; d < num_documents; ++d) {
    for (int32_t t = random() % gap; t < num_terms; t += 1 + random() % gap) {
      m.terms.push_back(t);
      m.weights.push_back(static_cast<float>(1 + random() % 100));
    }
    if (random() % 10 == 0) {
      m.terms.resize(m.offsets.back());
      m.weights.resize(m.offsets.back());
    }
    m.offsets.push_back(m.num_entries());
  }
  return m;
}

void CheckAgainstNaive(const DocumentMatrix& m, unsigned seed) {
  std::vector<std::vector<std::pair<int32_t, float>>> oracle(m.num_terms);
  for (int32_t d = 0; d < m.num_documents(); ++d) {
    for (size_t i = 0; i < m.TermsOf(d).size(); ++i) {
      oracle[m.TermsOf(d)[i]].push_back({d, m.WeightsOf(d)[i]});
    }
  }
  for (int threads : {0, 1, 2, 3, 7}) {
    TermListsOptions options;
    options.num_threads = threads;
    options.positions = threads != 2;
    const TermLists lists = BuildTermLists(m, options);
    ASSERT_EQ(lists.num_terms(), m.num_terms);
    ASSERT_EQ(lists.num_entries(), m.num_entries());
    for (int32_t t = 0; t < m.num_terms; ++t) {
      ASSERT_EQ(lists.DocumentsOf(t).size(), oracle[t].size());
      for (size_t i = 0; i < oracle[t].size(); ++i) {
        ASSERT_EQ(lists.DocumentsOf(t)[i], oracle[t][i].first)
            << "seed " << seed << " threads " << threads;
        ASSERT_EQ(lists.WeightsOf(t)[i], oracle[t][i].second);
      }
    }
    if (!options.positions) {
      ASSERT_TRUE(lists.positions.empty());
      continue;
    }
    ASSERT_EQ(lists.positions.size(), m.terms.size());
    for (int32_t d = 0; d < m.num_documents(); ++d) {
      for (int64_t e = m.offsets[d]; e < m.offsets[d + 1]; ++e) {
        const int64_t place = lists.positions[e];
        ASSERT_EQ(lists.documents[place], d);
        ASSERT_GE(place, lists.offsets[m.terms[e]]);
        ASSERT_LT(place, lists.offsets[m.terms[e] + 1]);
      }
    }
  }
}

TEST(TermListsTest, AgreesWithNaiveTranspose) {
  constexpr unsigned kSeed = 6;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 20; ++round) {
    CheckAgainstNaive(RandomDocuments(random, random() % 50, random() % 60, 9),
                      kSeed);
  }
  // Large enough for several blocks.
  CheckAgainstNaive(RandomDocuments(random, 3000, 300, 20), kSeed);
  CheckAgainstNaive(RandomDocuments(random, 5, 30000, 2), kSeed);
}

TEST(TermListsTest, Degenerate) {
  CheckAgainstNaive({}, 0);
  CheckAgainstNaive({{0, 0, 0}, {}, {}, 0}, 0);
  CheckAgainstNaive({{0, 0, 0}, {}, {}, 4}, 0);
  // All entries in one document.
  DocumentMatrix one;
  one.offsets = {0, 0, 20000, 20000};
  one.num_terms = 2 * 20000;
  for (int32_t t = 0; t < 20000; ++t) one.terms.push_back(2 * t);
  one.weights.assign(20000, 1.0f);
  CheckAgainstNaive(one, 0);
}

}  // namespace
}  // namespace warpclust
