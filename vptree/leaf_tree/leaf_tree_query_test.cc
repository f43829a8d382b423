// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Both trees against the sorted list of all keys, at each SIMD level: the
// searches of single points, and the k nearest points of many.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/leaf_tree/leaf_tree_index.h"
#include "vptree/leaf_tree/testing/each_simd_level.h"
#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

// The k nearest points of all points, and of other points.
template <class Tree>
void ExpectKNearestOf(const PointMatrix& points, const PointMatrix& queries,
                      Norm norm) {
  const std::unique_ptr<Tree> tree =
      *Tree::Build(points, norm, /*num_threads=*/2);
  for (const bool among_others : {true, false}) {
    const PointMatrix& asked = among_others ? points : queries;
    const int32_t most = points.num_points - (among_others ? 1 : 0);
    for (const int32_t k : {1, 3, 40, most}) {
      std::vector<std::vector<NearestPoint>> found(asked.num_points);
      const auto take = [&](int32_t q, absl::Span<const double> keys,
                            absl::Span<const int32_t> ids) {
        for (size_t j = 0; j < keys.size(); ++j) {
          found[q].push_back({keys[j], ids[j]});
        }
      };
      const absl::Status status = among_others
                                      ? tree->KNearestOfEach(k, take)
                                      : tree->KNearestOf(asked, k, take);
      if (k < 1 || k > most) {
        EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << k;
        continue;
      }
      ASSERT_TRUE(status.ok()) << status;
      for (int32_t q = 0; q < asked.num_points; ++q) {
        std::vector<NearestPoint> all;
        for (int32_t j = 0; j < points.num_points; ++j) {
          if (among_others && j == q) continue;
          all.push_back({DistanceKey(norm, asked.Row(q), points.Row(j),
                                     points.num_dimensions),
                         j});
        }
        std::sort(all.begin(), all.end(),
                  [](const NearestPoint& a, const NearestPoint& b) {
                    return Preferred(a.key, a.id, b.key, b.id);
                  });
        all.resize(k);
        ASSERT_EQ(found[q], all) << "k = " << k << ", others " << among_others;
      }
    }
  }
}

template <class Tree>
void ExpectPointSearches(const PointMatrix& points, Norm norm,
                         const std::vector<double>& query, double radius) {
  const double radius_key = KeyOfRadius(norm, radius);
  const std::unique_ptr<Tree> tree = *Tree::Build(points, norm, 1);
  std::vector<NearestPoint> all;
  std::vector<int32_t> within;
  for (int32_t j = 0; j < points.num_points; ++j) {
    const double key =
        DistanceKey(norm, query.data(), points.Row(j), points.num_dimensions);
    all.push_back({key, j});
    if (key < radius_key) within.push_back(j);
  }
  std::sort(all.begin(), all.end(),
            [](const NearestPoint& a, const NearestPoint& b) {
              return Preferred(a.key, a.id, b.key, b.id);
            });
  ASSERT_EQ(*tree->RangeList(query, radius), within);
  ASSERT_EQ(*tree->RangeCount(query, radius),
            static_cast<int32_t>(within.size()));
  for (const int32_t k : {0, 1, 3, 40, 1000}) {
    std::vector<NearestPoint> nearest(
        all.begin(), all.begin() + std::min<size_t>(k, all.size()));
    ASSERT_EQ(*tree->KNearest(query, k), nearest) << "k = " << k;
  }
  ASSERT_EQ(*tree->Nearest(query), all.empty() ? NearestPoint() : all[0]);
}

class LeafTreeQueryTest : public EachSimdLevel {};

INSTANTIATE_TEST_SUITE_P(Levels, LeafTreeQueryTest, kAllSimdLevels,
                         SimdLevelOfTest);

TEST_P(LeafTreeQueryTest, PointSearchesAreThoseOfThePlainLoop) {
  for (uint64_t seed = 0; seed < 120; ++seed) {
    TestRandom random(seed);
    const PointKind kind = kPointKinds[random() % 6];
    const int32_t n = static_cast<int32_t>(random() % 400);
    const int32_t d = 1 + static_cast<int32_t>(random() % 6);
    const Norm norm = static_cast<Norm>(random() % 3);
    const PointMatrix points = MakePoints(kind, n, d, &random);
    std::vector<double> query = MakePoints(kind, 1, d, &random).values;
    if (n > 0 && seed % 2 == 0) {
      query.assign(points.Row(n / 2), points.Row(n / 2) + d);
    }
    const double radius_key = MakeRadiusKey(points, norm, &random);
    const double radius =
        norm == Norm::kL2 ? std::sqrt(radius_key) : radius_key;
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    ExpectPointSearches<BoxTree>(points, norm, query, radius);
    ExpectPointSearches<VpTree>(points, norm, query, radius);
    if (HasFatalFailure()) return;
  }
}

template <class Tree>
void ExpectKNearestEvaluations(const PointMatrix& points, int32_t k) {
  const std::unique_ptr<Tree> tree =
      *Tree::Build(points, Norm::kL2, /*num_threads=*/2);
  ASSERT_TRUE(tree->KNearestOfEach(k, [](int32_t, absl::Span<const double>,
                                         absl::Span<const int32_t>) {})
                  .ok());
  const double counted =
      static_cast<double>(tree->distance_evaluations()) / points.num_points;
  const int32_t num_leaves = tree->tree().num_leaves();
  EXPECT_EQ(*tree->KNearestEvaluations(k, num_leaves), counted);
  EXPECT_EQ(*tree->KNearestEvaluations(k, 2 * num_leaves), counted);
  const double sampled = *tree->KNearestEvaluations(k, num_leaves / 4);
  EXPECT_NE(sampled, counted);
  EXPECT_NEAR(sampled, counted, counted / 5);
  for (const int32_t bad : {0, points.num_points}) {
    EXPECT_TRUE(absl::IsInvalidArgument(
        tree->KNearestEvaluations(bad, num_leaves).status()));
  }
}

TEST_P(LeafTreeQueryTest, CountsTheDistancesOfSomeLeaves) {
  TestRandom random(3);
  const PointMatrix points = MakePoints(PointKind::kUniform, 3000, 3, &random);
  for (const int32_t k : {1, 20}) {
    ExpectKNearestEvaluations<BoxTree>(points, k);
    ExpectKNearestEvaluations<VpTree>(points, k);
  }
}

TEST_P(LeafTreeQueryTest, KNearestAreThoseOfThePlainLoop) {
  TestRandom random(17);
  for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
    for (const PointKind kind :
         {PointKind::kUniform, PointKind::kLattice, PointKind::kLine}) {
      for (const int32_t d : {1, 3, 7, 40}) {
        for (const int32_t n : {1, 33, 300}) {
          SCOPED_TRACE(absl::StrCat("n ", n, ", d ", d));
          const PointMatrix points = MakePoints(kind, n, d, &random);
          const PointMatrix queries = MakePoints(kind, 20, d, &random);
          ExpectKNearestOf<BoxTree>(points, queries, norm);
          ExpectKNearestOf<VpTree>(points, queries, norm);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
