// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Against full sums in maps, sorted after each step. The lists are compared
// with lists filled anew.

#include "algorithms/online/clusters/cluster_vectors.h"

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/online/state/online_state.h"
#include "algorithms/online/testing/online_oracle.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "sparse/term_lists/dynamic_term_lists.h"

namespace warpclust {
namespace {

using Vector = OnlineOracle::Vector;

struct NaiveCluster {
  Vector sums;
  int64_t size = 0;
  int64_t last_time = 0;
  bool closed = false;
};

struct Row {
  std::vector<int32_t> terms;
  std::vector<int32_t> weights;
};

// (term, row, weight) of all lists.
using Entries = std::multiset<std::tuple<int32_t, int32_t, int32_t>>;

Entries EntriesOf(const DynamicTermLists& lists) {
  Entries entries;
  for (int32_t t = 0; t < lists.num_terms(); ++t) {
    for (const TermListEntry& entry : lists[t]) {
      entries.emplace(t, entry.row, entry.weight);
    }
  }
  return entries;
}

Entries EntriesOf(const std::vector<NaiveCluster>& clusters, int32_t terms) {
  Entries entries;
  for (size_t c = 0; c < clusters.size(); ++c) {
    if (clusters[c].sums.empty()) continue;
    for (const auto& [term, weight] :
         OnlineOracle::UnitVector(clusters[c].sums, terms)) {
      entries.emplace(term, static_cast<int32_t>(c),
                      static_cast<int32_t>(weight));
    }
  }
  return entries;
}

OnlineOptions WithTerms(int32_t terms) {
  OnlineOptions options = OnlineOptions::Paper();
  options.terms = terms;
  return options;
}

void ExpectEqual(const ClusterVectors& clusters,
                 const std::vector<NaiveCluster>& naive, int32_t terms) {
  ASSERT_EQ(clusters.size(), static_cast<int32_t>(naive.size()));
  for (int32_t c = 0; c < clusters.size(); ++c) {
    std::vector<int32_t> expected_terms;
    std::vector<int32_t> expected_weights;
    if (!naive[c].sums.empty()) {
      for (const auto& [term, weight] :
           OnlineOracle::UnitVector(naive[c].sums, terms)) {
        expected_terms.push_back(term);
        expected_weights.push_back(static_cast<int32_t>(weight));
      }
    }
    ASSERT_EQ(clusters.TermsOf(c), absl::MakeConstSpan(expected_terms)) << c;
    ASSERT_EQ(clusters.WeightsOf(c), absl::MakeConstSpan(expected_weights))
        << c;
    ASSERT_EQ(clusters.num_documents(c), naive[c].size) << c;
    ASSERT_EQ(clusters.last_time(c), naive[c].last_time) << c;
  }
}

OnlineState StateOf(const std::vector<NaiveCluster>& naive) {
  OnlineState state;
  for (const NaiveCluster& cluster : naive) {
    for (const auto& [term, sum] : cluster.sums) {
      state.terms.push_back(term);
      state.sums.push_back(sum);
    }
    state.offsets.push_back(static_cast<int64_t>(state.terms.size()));
    state.sizes.push_back(cluster.size);
    state.last_times.push_back(cluster.last_time);
  }
  return state;
}

Row RandomRow(Random* random, int32_t terms, int32_t num_terms) {
  std::map<int32_t, int32_t> row;
  const uint64_t count = random->Below(terms + 1);
  for (uint64_t i = 0; i < count; ++i) {
    // Few different weights for ties, and some that are nearly nothing.
    const auto term = static_cast<int32_t>(random->Below(num_terms));
    row[term] = static_cast<int32_t>((1 + random->Below(3))
                                     << (random->Below(4) == 0 ? 2 : 26));
  }
  Row result;
  for (const auto& [term, weight] : row) {
    result.terms.push_back(term);
    result.weights.push_back(weight);
  }
  return result;
}

TEST(ClusterVectorsTest, RandomStepsAgainstFullSums) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const auto terms = static_cast<int32_t>(1 + random.Below(6));
    const auto num_terms = static_cast<int32_t>(1 + random.Below(20));
    ClusterVectors clusters(WithTerms(terms));
    clusters.ReserveTerms(num_terms);
    std::vector<NaiveCluster> naive;
    for (int64_t step = 0; step < 120; ++step) {
      const Row row = RandomRow(&random, terms, num_terms);
      const auto c = static_cast<int32_t>(random.Below(naive.size() + 1));
      const bool is_new = c == clusters.size();
      if (!is_new && random.Below(20) == 0) {
        clusters.Close(c);
        clusters.Close(c);  // Once more does nothing.
        naive[c].sums.clear();
        naive[c].closed = true;
      } else if (is_new || !naive[c].closed) {
        if (is_new) {
          ASSERT_EQ(clusters.Found(row.terms, row.weights, step), c);
          naive.emplace_back();
        } else {
          clusters.Join(c, row.terms, row.weights, step);
        }
        for (size_t i = 0; i < row.terms.size(); ++i) {
          naive[c].sums[row.terms[i]] += row.weights[i];
        }
        ++naive[c].size;
        naive[c].last_time = step;
      }
      ASSERT_NO_FATAL_FAILURE(ExpectEqual(clusters, naive, terms));
      ASSERT_EQ(EntriesOf(clusters.lists()), EntriesOf(naive, terms))
          << "step " << step;
      if (step % 10 != 0) continue;
      // To a state and back.
      const OnlineState state = clusters.State();
      ASSERT_EQ(state, StateOf(naive));
      clusters = ClusterVectors(WithTerms(terms), state);
      clusters.ReserveTerms(num_terms);
      clusters.FillLists();
      ASSERT_NO_FATAL_FAILURE(ExpectEqual(clusters, naive, terms));
      ASSERT_EQ(EntriesOf(clusters.lists()), EntriesOf(naive, terms));
      ASSERT_EQ(clusters.State(), state);
    }
  }
}

// K = 2: term 2 falls out of the two largest, is kept in the tail, and comes
// back with what it had.
TEST(ClusterVectorsTest, TermsFallIntoTheTailAndRise) {
  ClusterVectors clusters(WithTerms(2));
  clusters.ReserveTerms(4);
  const std::vector<int32_t> terms = {1, 2};
  const std::vector<int32_t> other_terms = {1, 3};
  const std::vector<int32_t> two = {2};
  clusters.Found(terms, std::vector<int32_t>{30, 20}, 0);
  clusters.Join(0, other_terms, std::vector<int32_t>{30, 25}, 1);
  EXPECT_EQ(clusters.TermsOf(0), absl::MakeConstSpan({1, 3}));
  EXPECT_TRUE(clusters.lists()[2].empty());
  clusters.Join(0, two, std::vector<int32_t>{5}, 2);
  // 25 and 25: the smaller term.
  EXPECT_EQ(clusters.TermsOf(0), absl::MakeConstSpan({1, 2}));
  EXPECT_TRUE(clusters.lists()[3].empty());
  ASSERT_EQ(clusters.lists()[2].size(), 1u);
  EXPECT_EQ(clusters.lists()[2][0].weight, clusters.WeightsOf(0)[1]);
  const OnlineState state = clusters.State();
  EXPECT_EQ(state.terms, (std::vector<int32_t>{1, 2, 3}));
  EXPECT_EQ(state.sums, (std::vector<int64_t>{60, 25, 25}));
  EXPECT_EQ(state.sizes, std::vector<int64_t>{3});
  EXPECT_EQ(state.last_times, std::vector<int64_t>{2});
}

// Term 2 is in neither's two largest, and in those of both together.
TEST(ClusterVectorsTest, MergingFindsTermsOutsideBoth) {
  ClusterVectors alone(WithTerms(2));
  alone.ReserveTerms(5);
  const auto add = [&](int32_t cluster, std::vector<int32_t> terms,
                       std::vector<int32_t> weights, int64_t time) {
    if (cluster == alone.size()) {
      alone.Found(terms, weights, time);
    } else {
      alone.Join(cluster, terms, weights, time);
    }
  };
  add(0, {0, 1}, {12, 11}, 1);
  add(0, {2}, {10}, 7);
  add(1, {3, 4}, {12, 11}, 3);
  add(1, {2}, {10}, 4);
  ClusterVectors clusters(WithTerms(2), alone.State());
  clusters.ReserveTerms(5);
  clusters.FillLists();
  clusters.Merge(1, 0);
  EXPECT_EQ(clusters.TermsOf(0), absl::MakeConstSpan({0, 2}));
  EXPECT_TRUE(clusters.TermsOf(1).empty());
  const OnlineState state = clusters.State();
  EXPECT_EQ(state.offsets, (std::vector<int64_t>{0, 5, 5}));
  EXPECT_EQ(state.sums, (std::vector<int64_t>{12, 11, 20, 12, 11}));
  EXPECT_EQ(state.sizes, (std::vector<int64_t>{4, 0}));
  EXPECT_EQ(state.last_times, (std::vector<int64_t>{7, 4}));
  ClusterVectors anew(WithTerms(2), state);
  anew.ReserveTerms(5);
  anew.FillLists();
  EXPECT_EQ(EntriesOf(clusters.lists()), EntriesOf(anew.lists()));
}

TEST(ClusterVectorsTest, ATruncatedMeanForgets) {
  OnlineOptions options = WithTerms(2);
  options.truncated_mean = true;
  ClusterVectors clusters(options);
  clusters.ReserveTerms(4);
  clusters.Found({{0, 1}}, {{5, 3}}, 0);
  clusters.Join(0, {{2, 3}}, {{4, 2}}, 1);  // 1 and 3 fall out
  clusters.Join(0, {{1, 3}}, {{2, 3}}, 2);  // both begin again
  EXPECT_EQ(clusters.State().terms, (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(clusters.State().sums, (std::vector<int64_t>{5, 4}));
  clusters.Join(0, {{3}}, {{5}}, 3);
  EXPECT_EQ(clusters.State().terms, (std::vector<int32_t>{0, 3}));
  EXPECT_EQ(clusters.State().sums, (std::vector<int64_t>{5, 5}));
  // From full sums, the largest.
  OnlineState state = clusters.State();
  state.offsets = {0, 3};
  state.terms = {0, 1, 2};
  state.sums = {1, 3, 2};
  EXPECT_EQ(ClusterVectors(options, state).State().terms,
            (std::vector<int32_t>{1, 2}));
}

}  // namespace
}  // namespace warpclust
