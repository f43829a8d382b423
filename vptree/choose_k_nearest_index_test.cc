// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/choose_k_nearest_index.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "vptree/index_forecast.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

PointMatrix NormalPoints(int32_t n, int32_t d) {
  Random random(1);
  PointMatrix points{n, d, {}};
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    points.values.push_back(random.Normal());
  }
  return points;
}

// Boxes around the pieces of a curve are nearly as large as the curve, balls
// are not.
PointMatrix CurvePoints(int32_t n, int32_t d) {
  Random random(1);
  PointMatrix points{n, d, {}};
  for (int32_t i = 0; i < n; ++i) {
    const double at = random.Unit();
    for (int32_t k = 0; k < d; ++k) {
      points.values.push_back(std::sin((1 + k % 5) * (at * 6 + k)));
    }
  }
  return points;
}

IndexKind Chosen(const PointMatrix& points, int32_t k, int num_threads = 1) {
  const absl::StatusOr<IndexKind> kind =
      ChooseKNearestIndex(points, Norm::kL2, points.num_points, k, num_threads);
  EXPECT_TRUE(kind.ok()) << kind.status();
  return kind.value_or(IndexKind::kBruteForce);
}

TEST(ChooseKNearestIndexTest, BoxTreeInFewDimensions) {
  const PointMatrix points = NormalPoints(20000, 3);
  for (const int32_t k : {1, 30, 300}) {
    EXPECT_EQ(Chosen(points, k), IndexKind::kBoxTree) << k;
  }
}

TEST(ChooseKNearestIndexTest, VpTreeNearACurveInManyDimensions) {
  const PointMatrix points = CurvePoints(8192, 64);
  for (const int32_t k : {1, 30}) {
    EXPECT_EQ(Chosen(points, k), IndexKind::kVpTree) << k;
  }
}

// Where a tree visits nearly all leaves, the number of neighbors decides.
TEST(ChooseKNearestIndexTest, BruteForceWhereNothingPrunesForFewNeighbors) {
  const PointMatrix points = NormalPoints(8000, 16);
  EXPECT_EQ(Chosen(points, 1), IndexKind::kBruteForce);
  EXPECT_NE(Chosen(points, 200), IndexKind::kBruteForce);
}

TEST(ChooseKNearestIndexTest, FewPoints) {
  EXPECT_EQ(Chosen(NormalPoints(2047, 63), 1), IndexKind::kBoxTree);
  EXPECT_EQ(Chosen(NormalPoints(2047, 64), 1), IndexKind::kVpTree);
  EXPECT_EQ(Chosen(NormalPoints(1, 2), 1), IndexKind::kBoxTree);
}

TEST(ChooseKNearestIndexTest, AnyNumberOfNeighborsAndQueries) {
  const PointMatrix points = NormalPoints(2048, 4);
  for (const int32_t k : {1, 15, 16, 2047, 2048}) {
    for (const int32_t num_queries : {1, 100, 1 << 30}) {
      EXPECT_TRUE(
          ChooseKNearestIndex(points, Norm::kL1, num_queries, k, 0).ok());
    }
  }
  const PointMatrix equal{3000, 2, std::vector<double>(6000, 1.0)};
  EXPECT_EQ(Chosen(equal, 5), IndexKind::kBoxTree);
}

TEST(ChooseKNearestIndexTest, TheSameWithAnyNumberOfThreads) {
  // Close to the border between box tree and brute force; the larger sample
  // is searched by several threads.
  for (const int32_t k : {1, 2, 4, 8, 16, 32}) {
    const PointMatrix points = NormalPoints(k < 8 ? 33000 : 5000, 10);
    const IndexKind expected = Chosen(points, k);
    for (const int num_threads : {1, 2, 5}) {
      EXPECT_EQ(Chosen(points, k, num_threads), expected) << k;
    }
  }
}

TEST(FastestForKNearestTest, ComparesTheWork) {
  constexpr int32_t kPoints = 20000;
  const auto fastest = [](double box, double vp, int32_t d, int32_t k) {
    return FastestForKNearest({box, vp}, Norm::kL2, kPoints, kPoints, d, k);
  };
  EXPECT_EQ(fastest(300, 400, 8, 10), IndexKind::kBoxTree);
  EXPECT_EQ(fastest(800, 400, 8, 10), IndexKind::kVpTree);
  EXPECT_EQ(fastest(kPoints, kPoints, 16, 1), IndexKind::kBruteForce);
  EXPECT_EQ(fastest(kPoints, kPoints, 16, 256), IndexKind::kVpTree);
  // A distance to a box costs more than one to a point.
  EXPECT_EQ(fastest(400, 500, 64, 10), IndexKind::kVpTree);
  // One query is not worth a tree in many dimensions.
  EXPECT_EQ(FastestForKNearest({400, 500}, Norm::kL2, kPoints, 1, 64, 10),
            IndexKind::kBruteForce);
}

}  // namespace
}  // namespace warpclust
