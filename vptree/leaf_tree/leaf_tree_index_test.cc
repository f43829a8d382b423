// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Both trees against the plain loop over all points, at each SIMD level: the
// searches of all points at once.

#include "vptree/leaf_tree/leaf_tree_index.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/leaf_tree/testing/each_simd_level.h"
#include "vptree/leaf_tree/testing/expect_joining_pairs.h"
#include "vptree/leaf_tree/testing/expect_rankings.h"
#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/leaf_tree/testing/make_trees.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/label_forest.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

void ExpectLargestKeys(const PointMatrix& points, Norm norm,
                       const NeighborIndex& tree, TestRandom* random) {
  const int32_t n = points.num_points;
  const auto query = static_cast<int32_t>((*random)() % n);
  double largest = 0;
  for (int32_t j = 0; j < n; ++j) {
    largest = std::max(largest, KeyBetween(points, norm, query, j));
  }
  const auto found = tree.LargestKeyOf(
      absl::MakeConstSpan(points.Row(query), points.num_dimensions));
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->value(), largest);
}

void ExpectAllPointsSearches(const PointMatrix& points, Norm norm,
                             double radius_key, int num_threads,
                             TestRandom* random, int64_t* num_pairs) {
  const int32_t n = points.num_points;
  const std::vector<int32_t> ranks = MakeRanks(n, random);
  std::vector<int32_t> labels(n);
  const int32_t num_labels = 1 + static_cast<int32_t>((*random)() % 5);
  for (int32_t& label : labels) {
    label = static_cast<int32_t>((*random)() % num_labels);
  }
  std::vector<int32_t> counts(n, 0);
  std::vector<NearestPoint> nearest(n);
  std::vector<int32_t> best(n, n);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const double key = KeyBetween(points, norm, i, j);
      if (key < radius_key) {
        ++counts[i];
        if (labels[i] != labels[j]) best[i] = std::min(best[i], ranks[j]);
      }
      if (ranks[j] < ranks[i] &&
          Preferred(key, j, nearest[i].key, nearest[i].id)) {
        nearest[i] = {key, j};
      }
    }
  }
  for (const std::unique_ptr<NeighborIndex>& tree :
       MakeTrees(points, norm, num_threads)) {
    SCOPED_TRACE(std::string(tree->name()));
    ASSERT_EQ(tree->num_points(), n);
    std::vector<int32_t> tree_counts(n, -1);
    ASSERT_TRUE(
        tree->CountWithin(radius_key, absl::MakeSpan(tree_counts)).ok());
    ASSERT_EQ(tree_counts, counts);
    ExpectCountsOfEach(points, norm, *tree, random);
    if ((*random)() % 2 == 0) {
      ASSERT_TRUE(tree->KeepNeighbors().ok());
      if (n > 0) {
        const int32_t num_rankings = (*random)() % 8 == 0 ? 17 : 3;
        ExpectRankings(points, norm, *tree, num_rankings, random);
      }
    }
    if (n > 0) {
      ExpectLargestKeys(points, norm, *tree, random);
      ExpectJoiningPairs(points, norm, radius_key, counts, *tree, random,
                         num_pairs);
    }
    // From the answers for other ranks, from any other points, or from nothing.
    std::vector<NearestPoint> tree_nearest(n);
    if ((*random)() % 3 == 0) {
      ASSERT_TRUE(tree->NearestOfHigherRank(MakeRanks(n, random),
                                            absl::MakeSpan(tree_nearest))
                      .ok());
    } else if ((*random)() % 2 == 0) {
      for (int32_t i = 0; i < n; ++i) {
        const int32_t other = static_cast<int32_t>((*random)() % n);
        if (other != i)
          tree_nearest[i] = {KeyBetween(points, norm, i, other), other};
      }
    }
    ASSERT_TRUE(
        tree->NearestOfHigherRank(ranks, absl::MakeSpan(tree_nearest)).ok());
    for (int32_t i = 0; i < n; ++i) {
      ASSERT_EQ(tree_nearest[i].id, nearest[i].id) << "point " << i;
      ASSERT_EQ(tree_nearest[i].key, nearest[i].key) << "point " << i;
    }
    std::vector<int32_t> tree_best(n, n);
    ASSERT_TRUE(tree->HighestRankOfOtherLabel(radius_key, ranks, labels,
                                              absl::MakeSpan(tree_best))
                    .ok());
    ASSERT_EQ(tree_best, best);
    // From bounds, some of them 0.
    std::vector<int32_t> lowered(n);
    std::vector<int32_t> tree_lowered(n);
    for (int32_t i = 0; i < n; ++i) {
      tree_lowered[i] = static_cast<int32_t>((*random)() % (n + 1));
      if ((*random)() % 3 == 0) tree_lowered[i] = 0;
      lowered[i] = std::min(tree_lowered[i], best[i]);
    }
    ASSERT_TRUE(tree->HighestRankOfOtherLabel(radius_key, ranks, labels,
                                              absl::MakeSpan(tree_lowered))
                    .ok());
    ASSERT_EQ(tree_lowered, lowered);
    ASSERT_TRUE(tree->EstimateSeconds(radius_key).ok());
    if (n > 1) {
      EXPECT_GT(tree->distance_evaluations(), 0);
    }
  }
}

class LeafTreeIndexTest : public EachSimdLevel {};

INSTANTIATE_TEST_SUITE_P(Levels, LeafTreeIndexTest, kAllSimdLevels,
                         SimdLevelOfTest);

TEST_P(LeafTreeIndexTest, AllPointsSearchesAreThoseOfThePlainLoop) {
  const int32_t sizes[] = {0, 1, 2, 31, 32, 33, 64, 65, 100, 257, 700};
  const int32_t dimensions[] = {1, 2, 3, 4, 5, 9, 17, 40};
  int64_t num_pairs = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    TestRandom random(seed);
    const PointKind kind = kPointKinds[random() % 6];
    const int32_t n = sizes[random() % 11];
    const int32_t d = dimensions[random() % 8];
    const Norm norm = static_cast<Norm>(random() % 3);
    const PointMatrix points = MakePoints(kind, n, d, &random);
    const double radius_key = MakeRadiusKey(points, norm, &random);
    SCOPED_TRACE(absl::StrCat("seed ", seed, ", kind ", static_cast<int>(kind),
                              ", n = ", n, ", d = ", d, ", norm ",
                              static_cast<int>(norm), ", r = ", radius_key));
    ExpectAllPointsSearches(points, norm, radius_key, 1 + seed % 3, &random,
                            &num_pairs);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(num_pairs, 1000);
}

TEST(LeafTreeIndexErrorsTest, BadArgumentsAreInvalid) {
  TestRandom random(1);
  const PointMatrix points = MakePoints(PointKind::kUniform, 50, 2, &random);
  const double nan = std::nan("");
  for (const std::unique_ptr<NeighborIndex>& tree :
       MakeTrees(points, Norm::kL2, 1)) {
    std::vector<int32_t> ok(50), wrong(49);
    std::vector<NearestPoint> nearest(50), wrong_nearest(51);
    const auto invalid = [](const absl::Status& status) {
      return absl::IsInvalidArgument(status);
    };
    EXPECT_TRUE(invalid(tree->CountWithin(1, absl::MakeSpan(wrong))));
    EXPECT_TRUE(invalid(tree->CountWithin(-1, absl::MakeSpan(ok))));
    EXPECT_TRUE(invalid(tree->CountWithin(nan, absl::MakeSpan(ok))));
    EXPECT_TRUE(invalid(tree->EstimateSeconds(nan).status()));
    EXPECT_TRUE(
        invalid(tree->NearestOfHigherRank(wrong, absl::MakeSpan(nearest))));
    EXPECT_TRUE(
        invalid(tree->NearestOfHigherRank(ok, absl::MakeSpan(wrong_nearest))));
    EXPECT_TRUE(invalid(
        tree->HighestRankOfOtherLabel(nan, ok, ok, absl::MakeSpan(ok))));
    EXPECT_TRUE(invalid(
        tree->HighestRankOfOtherLabel(1, ok, wrong, absl::MakeSpan(ok))));
    const LabelForest forest(1);
    const PointMatrix queries = MakePoints(PointKind::kUniform, 5, 2, &random);
    const PointMatrix wrong_queries =
        MakePoints(PointKind::kUniform, 5, 1, &random);
    const std::vector<int32_t> of_queries(5);
    std::vector<QueryPair> pairs;
    const auto joining =
        *tree->JoiningPairs(1, ok, /*slot_ranks=*/{}, ok, {50});
    EXPECT_TRUE(
        joining->SearchOf(queries, of_queries, of_queries, forest, &pairs)
            .ok());
    EXPECT_TRUE(invalid(joining->SearchOf(wrong_queries, of_queries, of_queries,
                                          forest, &pairs)));
    EXPECT_TRUE(
        invalid(joining->SearchOf(queries, ok, of_queries, forest, &pairs)));
    const auto several =
        *tree->JoiningPairs(1, ok, /*slot_ranks=*/{}, ok, {50, 40});
    EXPECT_TRUE(absl::IsFailedPrecondition(
        several->SearchOf(queries, of_queries, of_queries, forest, &pairs)));
  }
  const std::unique_ptr<VpTree> tree = *VpTree::Build(points, Norm::kL2, 1);
  EXPECT_TRUE(absl::IsInvalidArgument(tree->Nearest({1.0}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(tree->Nearest({1.0, nan}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(tree->KNearest({1, 2}, -1).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(tree->RangeList({1, 2}, -1).status()));
  PointMatrix bad = points;
  bad.values[3] = nan;
  EXPECT_TRUE(
      absl::IsInvalidArgument(BuildBoxTreeIndex(bad, Norm::kL2, 1).status()));
}

}  // namespace
}  // namespace warpclust
