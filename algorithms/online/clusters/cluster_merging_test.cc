// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The merging pass by term lists against one that compares every pair; whole
// streams with merges are in online_clusterer_test.cc.

#include "algorithms/online/clusters/cluster_merging.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/online/clusters/cluster_vectors.h"
#include "algorithms/online/state/online_engine.h"
#include "algorithms/online/state/online_options.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/testing/online_oracle.h"
#include "base/numbers/decimal.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Vector = OnlineOracle::Vector;

OnlineState StateOf(const std::vector<Vector>& sums,
                    const std::vector<int64_t>& sizes,
                    const std::vector<int64_t>& last_times) {
  OnlineState state;
  state.sizes = sizes;
  state.last_times = last_times;
  for (const Vector& cluster : sums) {
    for (const auto& [term, sum] : cluster) {
      state.terms.push_back(term);
      state.sums.push_back(sum);
      state.num_terms = std::max(state.num_terms, term + 1);
    }
    state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
  }
  for (size_t c = 0; c < sizes.size(); ++c) {
    state.num_documents += sizes[c];
    state.clock = std::max(state.clock, last_times[c]);
  }
  EXPECT_EQ(ValidateOnlineState(state), absl::OkStatus());
  return state;
}

constexpr int64_t kOne = int64_t{1} << 30;

TEST(ClusterMergingTest, NothingToMerge) {
  OnlineState state;
  EXPECT_TRUE(MergeSimilarClusters(OnlineOptions::Paper(), &state).empty());
  EXPECT_EQ(state, OnlineState());
  state = StateOf({{{0, kOne}}, {}, {{1, kOne}}, {}}, {1, 2, 1, 0},
                  {3, OnlineState::kNoTime, 5, 4});
  const OnlineState before = state;
  EXPECT_TRUE(MergeSimilarClusters(OnlineOptions::Paper(), &state).empty());
  EXPECT_EQ(state, before);
}

// Cluster 2 is like 0 (0.6) and more like 1 (0.8); 3 is like 0 (1), and what 4
// is like is 1 only after 2 has merged into it.
TEST(ClusterMergingTest, ByHand) {
  const int64_t six = 644245094;
  const int64_t eight = 858993459;
  OnlineState state = StateOf({{{0, kOne}},
                               {{1, kOne}},
                               {{0, six}, {1, eight}},
                               {{0, 3 * kOne}},
                               {{0, six}, {1, six}}},
                              {1, 1, 1, 3, 2}, {9, 2, 3, 4, 5});
  OnlineOptions options = OnlineOptions::Paper();
  options.merge_threshold = {72, 100};
  EXPECT_EQ(MergeSimilarClusters(options, &state),
            (std::vector<ClusterMerge>{{2, 1}, {3, 0}, {4, 1}}));
  OnlineState expected = StateOf(
      {{{0, 4 * kOne}}, {{0, 2 * six}, {1, kOne + eight + six}}, {}, {}, {}},
      {4, 4, 0, 0, 0}, {9, 5, 3, 4, 5});
  expected.num_terms = state.num_terms;
  EXPECT_EQ(state, expected);
}

TEST(ClusterMergingTest, StrictAndTiesToTheSmallest) {
  // Similarity 0.5 to both.
  const OnlineState state = StateOf(
      {{{0, kOne}}, {{1, kOne}}, {{0, kOne}, {1, kOne}, {2, kOne}, {3, kOne}}},
      {1, 1, 4}, {0, 0, 0});
  OnlineOptions options = OnlineOptions::Paper();
  OnlineState merged = state;
  EXPECT_TRUE(MergeSimilarClusters(options, &merged).empty());
  options.merge_threshold = {499999999, 1000000000};
  EXPECT_EQ(MergeSimilarClusters(options, &merged),
            (std::vector<ClusterMerge>{{2, 0}}));
}

// The definition, every pair anew.
std::vector<ClusterMerge> Naive(const OnlineOptions& options,
                                OnlineState* state) {
  std::vector<Vector> sums(state->num_clusters());
  for (int32_t c = 0; c < state->num_clusters(); ++c) {
    for (size_t i = 0; i < state->TermsOf(c).size(); ++i) {
      sums[c][state->TermsOf(c)[i]] = state->SumsOf(c)[i];
    }
  }
  std::vector<ClusterMerge> merges;
  for (size_t c = 0; c < sums.size(); ++c) {
    const Vector vector = OnlineOracle::UnitVector(sums[c], options.terms);
    __int128 most = 0;
    size_t best = c;
    for (size_t b = 0; b < c; ++b) {
      __int128 similarity = 0;
      for (const auto& [term, weight] :
           OnlineOracle::UnitVector(sums[b], options.terms)) {
        const auto other = vector.find(term);
        if (other == vector.end()) continue;
        similarity += static_cast<__int128>(weight) * other->second;
      }
      const Decimal& threshold = options.merge_threshold;
      const bool above = threshold.numerator < threshold.denominator &&
                         similarity * threshold.denominator >
                             static_cast<__int128>(threshold.numerator) << 60;
      if (above && similarity > most) {
        most = similarity;
        best = b;
      }
    }
    if (best == c) continue;
    for (const auto& [term, sum] : sums[c]) sums[best][term] += sum;
    sums[c].clear();
    state->sizes[best] += state->sizes[c];
    state->sizes[c] = 0;
    state->last_times[best] =
        std::max(state->last_times[best], state->last_times[c]);
    merges.push_back({static_cast<int32_t>(c), static_cast<int32_t>(best)});
  }
  OnlineState merged = StateOf(sums, state->sizes, state->last_times);
  merged.num_terms = state->num_terms;
  *state = merged;
  return merges;
}

TEST(ClusterMergingTest, RandomStatesAgainstEveryPair) {
  size_t merges = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    OnlineOptions options = OnlineOptions::Paper();
    options.terms = static_cast<int32_t>(1 + random.Below(5));
    options.merge_threshold = {static_cast<int64_t>(random.Below(11)), 10};
    const uint64_t count = random.Below(40);
    const uint64_t num_terms = 1 + random.Below(20);
    std::vector<Vector> sums(count);
    std::vector<int64_t> sizes(count);
    std::vector<int64_t> last_times(count, OnlineState::kNoTime);
    for (uint64_t c = 0; c < count; ++c) {
      const uint64_t terms = random.Below(10);
      for (uint64_t i = 0; i < terms; ++i) {
        const auto term =
            static_cast<int32_t>(random.Below(1 + random.Below(num_terms)));
        sums[c][term] += random.Below(5) == 0
                             ? 1
                             : static_cast<int64_t>(1 + random.Below(3)) << 28;
      }
      sizes[c] = 20;
      if (random.Below(4) != 0) {
        last_times[c] = static_cast<int64_t>(random.Below(100));
      }
    }
    OnlineState state = StateOf(sums, sizes, last_times);
    OnlineState naive = state;
    const std::vector<ClusterMerge> expected = Naive(options, &naive);
    ASSERT_EQ(MergeSimilarClusters(options, &state), expected);
    ASSERT_EQ(state, naive);
    merges += expected.size();
  }
  EXPECT_GT(merges, 1000u);
}

// Passes over clusters that documents join in between, against passes over
// their state, which compare all pairs.
TEST(ClusterMergingTest, PassesOverChangedClustersAgainstAllPairs) {
  size_t merges = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    OnlineOptions options = OnlineOptions::Paper();
    options.terms = static_cast<int32_t>(1 + random.Below(5));
    options.merge_every = 1;
    options.merge_threshold = {static_cast<int64_t>(random.Below(11)), 10};
    const auto num_terms = static_cast<int32_t>(2 + random.Below(20));
    ClusterVectors clusters(options);
    clusters.ReserveTerms(num_terms);
    ClusterMerging merging(options, 0);
    OnlineState naive;
    for (int pass = 0; pass < 10; ++pass) {
      for (uint64_t d = random.Below(12); d > 0; --d) {
        Vector document;
        for (int32_t i = 0; i < options.terms; ++i) {
          document[static_cast<int32_t>(random.Below(num_terms))] =
              kOne >> (2 + random.Below(3));
        }
        std::vector<int32_t> terms;
        std::vector<int32_t> weights;
        for (const auto& [term, weight] : document) {
          terms.push_back(term);
          weights.push_back(static_cast<int32_t>(weight));
        }
        const auto cluster =
            static_cast<int32_t>(random.Below(clusters.size() + uint64_t{1}));
        if (cluster == clusters.size()) {
          clusters.Found(terms, weights, 0);
        } else if (clusters.TermsOf(cluster).empty()) {
          continue;
        } else {
          clusters.Join(cluster, terms, weights, 0);
        }
        merging.Changed(cluster);
      }
      naive = clusters.State();
      naive.num_terms = num_terms;
      const std::vector<ClusterMerge> expected = Naive(options, &naive);
      ASSERT_EQ(merging.Pass(clusters.vectors(), clusters.lists(),
                             [&](int32_t from, int32_t into) {
                               clusters.Merge(from, into);
                             }),
                expected);
      OnlineState state = clusters.State();
      state.num_documents = naive.num_documents;
      state.clock = naive.clock;
      state.num_terms = naive.num_terms;
      ASSERT_EQ(state, naive);
      merges += expected.size();
    }
  }
  EXPECT_GT(merges, 1000u);
}

}  // namespace
}  // namespace warpclust
