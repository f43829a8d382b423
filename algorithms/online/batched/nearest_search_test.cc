// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NearestSearch against similarities from the definition.

#include "algorithms/online/batched/nearest_search.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/online/clusters/listed_vectors.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {
namespace {

int64_t Similarity(const UnitVectors& documents, int64_t a, int64_t b) {
  int64_t similarity = 0;
  for (size_t i = 0; i < documents.TermsOf(a).size(); ++i) {
    for (size_t j = 0; j < documents.TermsOf(b).size(); ++j) {
      if (documents.TermsOf(a)[i] != documents.TermsOf(b)[j]) continue;
      similarity +=
          int64_t{documents.WeightsOf(a)[i]} * documents.WeightsOf(b)[j];
    }
  }
  return similarity;
}

// Checks `nearest`: the most similar clusters come first, and none is missing
// that is above the floor or before a listed one.
void ExpectKept(const std::vector<int64_t>& similarities, int64_t above,
                int32_t most, const NearestClusters& nearest) {
  std::vector<std::pair<int64_t, int32_t>> ranked;
  for (size_t c = 0; c < similarities.size(); ++c) {
    if (similarities[c] > above) {
      ranked.emplace_back(-similarities[c], static_cast<int32_t>(c));
    }
  }
  std::sort(ranked.begin(), ranked.end());
  ASSERT_LE(nearest.count, most);
  ASSERT_EQ(nearest.count > 0, !ranked.empty());
  ASSERT_GE(nearest.floor, above);
  for (int32_t i = 0; i < nearest.count; ++i) {
    EXPECT_EQ(nearest.clusters[i], ranked[i].second);
    EXPECT_EQ(nearest.similarities[i], -ranked[i].first);
  }
  if (nearest.count < static_cast<int32_t>(ranked.size())) {
    EXPECT_LE(-ranked[nearest.count].first, nearest.floor);
  }
  EXPECT_TRUE(nearest.count > 0 || nearest.floor == above);
}

TEST(NearestSearchTest, AgainstAllSimilarities) {
  int64_t listed = 0;
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const int32_t terms = seed % 6 == 0 ? 1 : seed % 6 == 1 ? 128 : 12;
    const auto num_terms = static_cast<int32_t>(20 + random.Below(200));
    // Enough for lists that are worth leaving out.
    const auto num_clusters = static_cast<int32_t>(random.Below(3000));
    const int64_t queries = 60;
    const UnitVectors documents =
        MakeCollisionStream(&random, num_clusters + queries, terms, num_terms)
            .documents;
    DynamicTermLists lists;
    lists.ReserveTerms(num_terms);
    ListedVectors clusters(terms);
    clusters.Reserve(num_clusters);
    for (int32_t c = 0; c < num_clusters; ++c) {
      clusters.Replace(c, documents.TermsOf(c), documents.WeightsOf(c), &lists);
    }
    const uint64_t left_out = random.Below(5);
    const auto accepts = [&](int32_t c) { return c % 5 >= int32_t(left_out); };
    for (const int64_t above :
         {int64_t{0}, int64_t{1} << 55, int64_t{1} << 57, int64_t{1} << 59,
          (int64_t{1} << 60) - (int64_t{1} << 50),
          std::numeric_limits<int64_t>::max()}) {
      for (const int32_t most : {1, 2, NearestClusters::kMost}) {
        NearestSearch search(above, most);
        search.Reserve(num_clusters);
        for (int64_t q = num_clusters; q < num_clusters + queries; ++q) {
          std::vector<int64_t> similarities(num_clusters);
          for (int32_t c = 0; c < num_clusters; ++c) {
            if (accepts(c)) similarities[c] = Similarity(documents, q, c);
          }
          NearestClusters nearest;
          search.Find(documents.TermsOf(q), documents.WeightsOf(q), lists,
                      clusters, accepts, &nearest);
          ExpectKept(similarities, above, most, nearest);
          if (HasFatalFailure()) return;
          listed += nearest.count;
        }
      }
    }
  }
  EXPECT_GT(listed, 0);
}

TEST(NearestSearchTest, LooksAtAPartOfLongLists) {
  // 10000 clusters of a common and a rare term each.
  constexpr int32_t kClusters = 10000;
  const std::vector<int32_t> weights = {759250125, 759250125};
  DynamicTermLists lists;
  lists.ReserveTerms(kClusters + 1);
  ListedVectors clusters(2);
  clusters.Reserve(kClusters);
  for (int32_t c = 0; c < kClusters; ++c) {
    clusters.Replace(c, {0, c + 1}, weights, &lists);
  }
  NearestSearch search(int64_t{3} << 58, 1);
  search.Reserve(kClusters);
  NearestClusters nearest;
  search.Find(
      {0, 77}, weights, lists, clusters, [](int32_t) { return true; },
      &nearest);
  ASSERT_EQ(nearest.count, 1);
  EXPECT_EQ(nearest.clusters[0], 76);
  EXPECT_LT(search.partial_products(), 10);
}

}  // namespace
}  // namespace warpclust
