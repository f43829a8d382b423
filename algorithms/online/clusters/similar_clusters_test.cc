// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Passes by pairs of similar clusters against passes by term lists.

#include "algorithms/online/clusters/similar_clusters.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/online/clusters/cluster_merging.h"
#include "algorithms/online/clusters/cluster_vectors.h"
#include "algorithms/online/clusters/similar_pair.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/unit_vectors.h"
#include "algorithms/online/testing/collision_stream.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

// Appends the pairs of `cluster` and all clusters, in any order, some twice.
void Compare(const ClusterVectors& clusters, int32_t cluster, int64_t above,
             Random* random, std::vector<SimilarPair>* pairs) {
  for (int32_t other = 0; other < clusters.size(); ++other) {
    int64_t similarity = 0;
    for (size_t i = 0; i < clusters.TermsOf(cluster).size(); ++i) {
      for (size_t j = 0; j < clusters.TermsOf(other).size(); ++j) {
        if (clusters.TermsOf(cluster)[i] != clusters.TermsOf(other)[j])
          continue;
        similarity += int64_t{clusters.WeightsOf(cluster)[i]} *
                      clusters.WeightsOf(other)[j];
      }
    }
    if (similarity <= above) continue;
    pairs->insert(
        pairs->begin() + static_cast<int64_t>(random->Below(pairs->size() + 1)),
        1 + random->Below(2), {cluster, other, similarity});
  }
}

TEST(SimilarClustersTest, MergesAsByLists) {
  size_t merged = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    OnlineOptions options;
    options.terms = 1 + static_cast<int32_t>(random.Below(8));
    options.merge_threshold = {static_cast<int64_t>(1 + random.Below(9)), 10};
    const UnitVectors documents =
        MakeCollisionStream(
            &random, 400, options.terms,
            options.terms + static_cast<int32_t>(random.Below(60)))
            .documents;
    ClusterVectors by_lists(options);
    ClusterVectors by_pairs(options);
    by_lists.ReserveTerms(documents.num_terms);
    by_pairs.ReserveTerms(documents.num_terms);
    ClusterMerging list_merging(options, 0);
    ClusterMerging pair_merging(options, 0);
    for (int64_t d = 0; d < documents.size(); ++d) {
      // Where a document goes does not matter here.
      const auto any = static_cast<int32_t>(random.Below(by_lists.size() + 2));
      const bool joins =
          any < by_lists.size() && by_lists.num_documents(any) > 0;
      const int32_t cluster = joins ? any : by_lists.size();
      for (ClusterVectors* clusters : {&by_lists, &by_pairs}) {
        if (joins) {
          clusters->Join(cluster, documents.TermsOf(d), documents.WeightsOf(d),
                         d);
        } else {
          clusters->Found(documents.TermsOf(d), documents.WeightsOf(d), d);
        }
      }
      list_merging.Changed(cluster);
      pair_merging.Changed(cluster);
      if (random.Below(20) != 0) continue;

      const std::vector<ClusterMerge> expected = list_merging.Pass(
          by_lists.vectors(), by_lists.lists(),
          [&](int32_t from, int32_t into) { by_lists.Merge(from, into); });
      std::vector<SimilarPair> pairs;
      for (const int32_t changed : pair_merging.changed()) {
        Compare(by_pairs, changed, pair_merging.above(), &random, &pairs);
      }
      const absl::StatusOr<std::vector<ClusterMerge>> found =
          SimilarClusters(pairs).Pass(
              by_pairs.size(), &pair_merging,
              [&](int32_t from, int32_t into,
                  std::vector<SimilarPair>* similar) {
                by_pairs.Merge(from, into);
                Compare(by_pairs, into, pair_merging.above(), &random, similar);
                return absl::OkStatus();
              });
      ASSERT_TRUE(found.ok()) << found.status();
      ASSERT_EQ(*found, expected);
      ASSERT_TRUE(by_pairs.State() == by_lists.State());
      merged += expected.size();
    }
  }
  EXPECT_GT(merged, 1000);
}

TEST(SimilarClustersTest, AnErrorEndsThePass) {
  OnlineOptions options;
  ClusterMerging merging(options, 6);
  const int64_t one = int64_t{1} << 60;
  std::vector<SimilarPair> pairs;
  for (int32_t c = 1; c < 6; ++c) pairs.push_back({c, 0, one});
  int merges = 0;
  const absl::StatusOr<std::vector<ClusterMerge>> found =
      SimilarClusters(pairs).Pass(
          6, &merging,
          [&](int32_t from, int32_t into, std::vector<SimilarPair>* similar) {
            for (int32_t c = from + 1; c < 6; ++c) {
              similar->push_back({into, c, one});
            }
            return ++merges == 2 ? absl::ResourceExhaustedError("room")
                                 : absl::OkStatus();
          });
  EXPECT_EQ(found.status(), absl::ResourceExhaustedError("room"));
  EXPECT_EQ(merges, 2);
}

}  // namespace
}  // namespace warpclust
