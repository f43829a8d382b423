// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/testing/expect_joining_pairs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "vptree/leaf_tree/testing/expect_rankings.h"
#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/label_forest.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

namespace {

bool ByRanks(const RankPair& a, const RankPair& b) {
  return std::pair(a.rank, a.other_rank) < std::pair(b.rank, b.other_rank);
}

// The pairs found are among those expected, and each of these that is missing
// has the labels of one of smaller rank that was found. Labels are by rank.
void ExpectAllThatMatter(const std::vector<RankPair>& expected,
                         const std::vector<int32_t>& labels,
                         std::vector<RankPair> found) {
  std::sort(found.begin(), found.end(), ByRanks);
  ASSERT_TRUE(std::includes(expected.begin(), expected.end(), found.begin(),
                            found.end(), ByRanks));
  std::set<std::pair<int32_t, int32_t>> joined;
  auto next = found.begin();
  for (const RankPair& pair : expected) {
    const std::pair<int32_t, int32_t> of_pair =
        std::minmax(labels[pair.rank], labels[pair.other_rank]);
    if (next != found.end() && *next == pair) {
      joined.insert(of_pair);
      ++next;
    } else {
      ASSERT_TRUE(joined.count(of_pair) > 0)
          << pair.rank << " and " << pair.other_rank << " are not joined";
    }
  }
}

// Checks SearchOf against the plain loop, for queries that are like the points
// or far from them.
void ExpectPairsOfQueries(const PointMatrix& points, Norm norm,
                          double radius_key, const std::vector<int32_t>& ranks,
                          int32_t num_ranks, const std::vector<int32_t>& labels,
                          int32_t num_labels, const LabelForest& forest,
                          JoiningPairSearch& search, TestRandom* random) {
  const int32_t n = points.num_points;
  const int32_t most = (*random)() % 8 == 0 ? 1500 : 100;
  const auto count = static_cast<int32_t>((*random)() % most);
  const PointMatrix others =
      MakePoints(kPointKinds[(*random)() % std::size(kPointKinds)], count,
                 points.num_dimensions, random);
  // The points of the index and the queries, as KeyBetween needs them.
  PointMatrix all = points;
  for (int32_t q = 0; q < count; ++q) {
    const auto like = static_cast<int32_t>((*random)() % n);
    const double* row =
        (*random)() % 2 == 0
            ? points.values.data() + int64_t{like} * points.num_dimensions
            : others.values.data() + int64_t{q} * points.num_dimensions;
    all.values.insert(all.values.end(), row, row + points.num_dimensions);
  }
  all.num_points = n + count;
  PointMatrix queries;
  queries.num_points = count;
  queries.num_dimensions = points.num_dimensions;
  queries.values.assign(all.values.begin() + int64_t{n} * points.num_dimensions,
                        all.values.end());
  std::vector<int32_t> query_ranks(count);
  std::vector<int32_t> query_labels(count);
  for (int32_t q = 0; q < count; ++q) {
    query_ranks[q] = static_cast<int32_t>((*random)() % (n + 1));
    query_labels[q] = static_cast<int32_t>((*random)() % num_labels);
  }
  std::set<std::pair<int32_t, int32_t>> expected;
  for (int32_t q = 0; q < count; ++q) {
    const int32_t rank = std::min(num_ranks, query_ranks[q]);
    std::map<int32_t, int32_t> near;
    for (int32_t j = 0; j < n; ++j) {
      if (ranks[j] >= rank || !(KeyBetween(all, norm, n + q, j) < radius_key)) {
        continue;
      }
      const int32_t root = forest.RootBelow(labels[j], rank);
      if (root == forest.RootBelow(query_labels[q], rank)) continue;
      const auto [at, is_new] = near.insert({root, ranks[j]});
      at->second = std::min(at->second, ranks[j]);
    }
    for (const auto& [root, least] : near) expected.insert({q, least});
  }
  std::vector<QueryPair> pairs;
  ASSERT_TRUE(
      search.SearchOf(queries, query_ranks, query_labels, forest, &pairs).ok());
  std::set<std::pair<int32_t, int32_t>> found;
  for (const QueryPair& pair : pairs) found.insert({pair.query, pair.rank});
  ASSERT_EQ(found.size(), pairs.size());
  ASSERT_EQ(found, expected);
}

}  // namespace

void ExpectJoiningPairs(const PointMatrix& points, Norm norm, double radius_key,
                        const std::vector<int32_t>& counts,
                        const NeighborIndex& tree, TestRandom* random,
                        int64_t* num_pairs) {
  const int32_t n = points.num_points;
  std::vector<int32_t> ranks = MakeRanks(n, random);
  std::vector<int32_t> num_above = {
      static_cast<int32_t>((*random)() % 2 == 0 ? n : (*random)() % (n + 1))};
  if ((*random)() % 2 == 0) {
    // By counts, which a tree with kept neighbors makes use of.
    ranks = RanksOfCounts(counts);
    num_above.assign(1 + (*random)() % 12, 0);
    for (size_t k = 0; k < num_above.size(); ++k) {
      num_above[k] = static_cast<int32_t>(
          std::count_if(counts.begin(), counts.end(),
                        [&](int32_t count) { return count > int64_t(k); }));
    }
  }
  const int32_t num_ranks = num_above[0];
  const auto num_labels = static_cast<int32_t>(1 + (*random)() % 12);
  std::vector<int32_t> labels(n);
  for (int32_t i = 0; i < n; ++i) {
    // Some labels have points far apart, others near each other.
    labels[i] = (*random)() % 4 == 0
                    ? static_cast<int32_t>((*random)() % num_labels)
                    : i * num_labels / n;
  }
  LabelForest forest(num_labels);
  int32_t level = 0;
  for (uint64_t joins = (*random)() % (2 * num_labels); joins > 0; --joins) {
    level += static_cast<int32_t>((*random)() % (n / num_labels + 1));
    forest.Join(static_cast<int32_t>((*random)() % num_labels),
                static_cast<int32_t>((*random)() % num_labels), level);
  }
  std::vector<RankPair> expected;
  for (int32_t i = 0; i < n; ++i) {
    // By root: the smallest rank.
    std::map<int32_t, int32_t> near;
    for (int32_t j = 0; j < n && ranks[i] < num_ranks; ++j) {
      if (ranks[j] >= ranks[i] ||
          !(KeyBetween(points, norm, i, j) < radius_key)) {
        continue;
      }
      const int32_t root = forest.RootBelow(labels[j], ranks[i]);
      if (root == forest.RootBelow(labels[i], ranks[i])) continue;
      const auto [at, is_new] = near.insert({root, ranks[j]});
      at->second = std::min(at->second, ranks[j]);
    }
    for (const auto& [root, rank] : near) expected.push_back({ranks[i], rank});
  }
  std::sort(expected.begin(), expected.end(), ByRanks);
  *num_pairs += static_cast<int64_t>(expected.size());
  // Counts have a ranking, which has ranks by slot.
  std::vector<std::vector<int32_t>> found_counts(1);
  const std::unique_ptr<RankingsSearch> rankings =
      *tree.CountAndRank({radius_key}, absl::MakeSpan(found_counts));
  absl::Span<const int32_t> slot_ranks;
  if (num_above.size() > 1 && rankings != nullptr && (*random)() % 2 == 0) {
    std::vector<int32_t> ids(n);
    std::vector<double> keys(n);
    ASSERT_TRUE(rankings
                    ->Search(0, ranks, /*num_threads=*/2, absl::MakeSpan(ids),
                             absl::MakeSpan(keys))
                    .ok());
    slot_ranks = rankings->slot_ranks();
  }
  const std::unique_ptr<JoiningPairSearch> search =
      *tree.JoiningPairs(radius_key, ranks, slot_ranks, labels, num_above);
  ASSERT_NE(search, nullptr);
  std::vector<int32_t> by_rank(n);
  for (int32_t i = 0; i < n; ++i) by_rank[ranks[i]] = labels[i];
  std::vector<RankPair> at_once;
  ASSERT_TRUE(search->Search(forest, 0, /*without_next=*/false, &at_once).ok());
  ExpectAllThatMatter(expected, by_rank, std::move(at_once));
  std::vector<RankPair> by_part;
  for (int part = 2; part >= 0; --part) {
    ASSERT_TRUE(search->Search(forest, part, part < 2, &by_part).ok());
  }
  ExpectAllThatMatter(expected, by_rank, std::move(by_part));
  const std::unique_ptr<JoiningPairSearch> for_others = *tree.JoiningPairs(
      radius_key, ranks, /*slot_ranks=*/{}, labels, {num_ranks});
  ExpectPairsOfQueries(points, norm, radius_key, ranks, num_ranks, labels,
                       num_labels, forest, *for_others, random);
}

}  // namespace warpclust
