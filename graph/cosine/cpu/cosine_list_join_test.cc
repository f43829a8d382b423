// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The lists of a list join and the estimate of its cost.
// cosine_graph_cpu_test.cc compares its graphs with the definition.

#include "graph/cosine/cpu/cosine_list_join.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/machine/simd_levels.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Distinct terms, low ones the most frequent, with weights from 1 to 4.
DocumentMatrix RandomDocuments(int32_t n, int32_t num_terms, int length,
                               std::mt19937& random) {
  DocumentMatrix documents;
  documents.num_terms = num_terms;
  for (int32_t d = 0; d < n; ++d) {
    std::set<int32_t> terms;
    for (int k = 0; k < length; ++k) {
      terms.insert(static_cast<int32_t>(random() % (1 + random() % num_terms)));
    }
    for (int32_t term : terms) {
      documents.terms.push_back(term);
      documents.weights.push_back(static_cast<float>(1 + random() % 4));
    }
    documents.offsets.push_back(static_cast<int64_t>(documents.terms.size()));
  }
  return documents;
}

CosineRows RowsOf(const DocumentMatrix& documents, double beta) {
  return MakeCosineRows(documents, SquaredNorms(documents),
                        RankTerms(documents, 2), /*integer_weights=*/true, beta,
                        /*closed=*/true, /*num_threads=*/1);
}

// Whether the candidates include all pairs of `stride`'s documents that reach
// `beta`; adds them up.
void ExpectAllPairs(const DocumentMatrix& documents, double beta,
                    int32_t stride, SimdLevel level, int64_t* candidates) {
  const CosineRows rows = RowsOf(documents, beta);
  const CosineLists lists(rows, beta, stride, level, /*num_threads=*/2);
  std::vector<float> dense(documents.num_terms);
  std::vector<int32_t> found;
  for (int32_t i = 0; i < lists.num_documents(); ++i) {
    const int64_t count = lists.FindBefore(i, &found).candidates;
    *candidates += count;
    const int32_t x = i * stride;
    std::fill(dense.begin(), dense.end(), 0.0f);
    for (size_t e = 0; e < documents.TermsOf(x).size(); ++e) {
      dense[documents.TermsOf(x)[e]] = documents.WeightsOf(x)[e];
    }
    for (int32_t y = 0; y < x; y += stride) {
      double dot = 0;
      for (size_t e = 0; e < documents.TermsOf(y).size(); ++e) {
        dot += dense[documents.TermsOf(y)[e]] * documents.WeightsOf(y)[e];
      }
      if (dot * dot <
          beta * beta * rows.squared_norms[x] * rows.squared_norms[y]) {
        continue;
      }
      ASSERT_EQ(std::count(found.begin(), found.begin() + count, y) > 0, true)
          << x << " " << y;
    }
    for (int64_t k = 0; k < count; ++k) {
      ASSERT_EQ(found[k] < x && found[k] % stride == 0, true);
    }
  }
}

TEST(CosineListsTest, FindAllPairsThatReachTheThreshold) {
  int64_t low = 0;
  int64_t high = 0;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const DocumentMatrix documents =
        RandomDocuments(150, 40, 1 + static_cast<int>(random() % 9), random);
    for (SimdLevel level : SimdLevels()) {
      const int32_t stride = 1 + static_cast<int32_t>(random() % 3);
      ExpectAllPairs(documents, 0.2, stride, level, &low);
      ExpectAllPairs(documents, 0.8, stride, level, &high);
    }
  }
  EXPECT_LT(high, low);
}

TEST(CosineListsTest, LeaveOutFrequentTerms) {
  // All share term 0, of weight 1; the other terms are shared by two each.
  DocumentMatrix documents;
  documents.num_terms = 51;
  for (int32_t d = 0; d < 100; ++d) {
    documents.terms.insert(documents.terms.end(), {0, 1 + d / 2});
    documents.weights.insert(documents.weights.end(), {1, 3});
    documents.offsets.push_back(2 * d + 2);
  }
  for (const auto& [beta, candidates] :
       {std::pair(0.05, int64_t{50 + 4950}), std::pair(0.5, int64_t{50})}) {
    int64_t found = 0;
    ExpectAllPairs(documents, beta, 1, CpuSimdLevel(), &found);
    EXPECT_EQ(found, candidates) << beta;
  }
}

TEST(EstimateCosineJoinTest, ShortDocumentsTakeListsAndLongOnesTiles) {
  std::mt19937 random(1);
  const DocumentMatrix documents[] = {RandomDocuments(20000, 4000, 4, random),
                                      RandomDocuments(3000, 500, 100, random)};
  for (const bool is_long : {false, true}) {
    const CosineJoinCosts costs = EstimateCosineJoin(
        RowsOf(documents[is_long], 0.6), 0.6, CpuSimdLevel());
    EXPECT_EQ(costs.lists > costs.tiles, is_long)
        << costs.lists << " " << costs.tiles;
  }
}

TEST(EstimateCosineJoinTest, FewDocuments) {
  for (const int32_t n : {0, 1, 2}) {
    std::mt19937 random(1);
    const CosineJoinCosts costs = EstimateCosineJoin(
        RowsOf(RandomDocuments(n, 5, 3, random), 0.5), 0.5, CpuSimdLevel());
    EXPECT_EQ(costs.tiles > 0, n == 2);
    EXPECT_GE(costs.lists, 0);
  }
}

TEST(CosineListJoinTest, FrequenciesOfNothing) {
  CosineRows rows;
  rows.offsets = {0};
  EXPECT_TRUE(RowFrequencies(rows).empty());
}

}  // namespace
}  // namespace warpclust
