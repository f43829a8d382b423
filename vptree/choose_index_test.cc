// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/choose_index.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/index_forecast.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

PointMatrix UniformPoints(int32_t n, int32_t d, uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    points.values.push_back(random.Unit());
  }
  return points;
}

// A search that is asked to end visits no more points.
TEST(StopWithTest, EveryIndexAndSearch) {
  const PointMatrix points = UniformPoints(3000, 5, 1);
  std::vector<std::unique_ptr<NeighborIndex>> indexes;
  for (auto* build :
       {BuildBoxTreeIndex, BuildVpTreeIndex, BuildBruteForceIndex}) {
    absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
        build(points, Norm::kL2, 2);
    ASSERT_TRUE(index.ok()) << index.status();
    indexes.push_back(*std::move(index));
  }
  std::vector<int32_t> ranks(points.num_points);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int32_t> counts(points.num_points);
  std::vector<NearestPoint> nearest(points.num_points);
  for (const std::unique_ptr<NeighborIndex>& index : indexes) {
    SCOPED_TRACE(index->name());
    WorkShare work;
    index->StopWith(&work);
    const auto search = [&] {
      std::vector<int32_t> best(points.num_points, points.num_points);
      return std::vector<absl::StatusCode>{
          index->CountWithin(0.01, absl::MakeSpan(counts)).code(),
          index->NearestOfHigherRank(ranks, absl::MakeSpan(nearest)).code(),
          index
              ->HighestRankOfOtherLabel(0.01, ranks, ranks,
                                        absl::MakeSpan(best))
              .code()};
    };
    EXPECT_EQ(search(),
              std::vector<absl::StatusCode>(3, absl::StatusCode::kOk));
    const int64_t before = index->distance_evaluations();
    work.RequestStop();
    EXPECT_EQ(search(),
              std::vector<absl::StatusCode>(3, absl::StatusCode::kCancelled));
    EXPECT_EQ(index->distance_evaluations(), before);
    index->StopWith(nullptr);
    EXPECT_EQ(search(),
              std::vector<absl::StatusCode>(3, absl::StatusCode::kOk));
  }
}

TEST(ChooseIndexTest, AnswersRight) {
  uint64_t seed = 0;
  for (const int32_t n : {0, 1, 33, 500, 2048, 3000}) {
    for (const int32_t d : {1, 3, 4, 12, 70}) {
      for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
        const PointMatrix points = UniformPoints(n, d, ++seed);
        double radius_key = 0.3;
        if (n > 1) {
          radius_key = DistanceKey(norm, points.Row(0), points.Row(1), d);
        }
        SCOPED_TRACE(absl::StrCat("seed ", seed, ", ", n, " x ", d, ", norm ",
                                  static_cast<int>(norm)));
        const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
            ChooseIndex(points, norm, radius_key, 2);
        ASSERT_TRUE(index.ok()) << index.status();
        ASSERT_EQ((*index)->num_points(), n);
        EXPECT_TRUE((*index)->name() == "box tree" ||
                    (*index)->name() == "vp tree" ||
                    (*index)->name() == "brute force");
        std::vector<int32_t> counts(n);
        ASSERT_TRUE(
            (*index)->CountWithin(radius_key, absl::MakeSpan(counts)).ok());
        for (int32_t i = 0; i < n; i += 100) {
          int32_t count = 0;
          for (int32_t j = 0; j < n; ++j) {
            count += j != i && DistanceKey(norm, points.Row(i), points.Row(j),
                                           d) < radius_key;
          }
          ASSERT_EQ(counts[i], count) << "point " << i;
        }
      }
    }
  }
}

TEST(ChooseIndexTest, BoxTreeForThreeDimensions) {
  const PointMatrix points = UniformPoints(20000, 3, 1);
  const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
      ChooseIndex(points, Norm::kL2, 1e-4, 1);
  ASSERT_TRUE(index.ok()) << index.status();
  EXPECT_EQ((*index)->name(), "box tree");
}

TEST(ChooseIndexTest, BruteForceWhereNothingPrunes) {
  const PointMatrix points = UniformPoints(4000, 300, 1);
  const double radius_key =
      DistanceKey(Norm::kL2, points.Row(0), points.Row(1), 300);
  const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
      ChooseIndex(points, Norm::kL2, radius_key, 1);
  ASSERT_TRUE(index.ok()) << index.status();
  EXPECT_EQ((*index)->name(), "brute force");
}

// A curve in many dimensions: boxes around its pieces are nearly as large as
// the curve, balls are not.
PointMatrix CurvePoints(int32_t n, int32_t d) {
  Random random(1);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int32_t i = 0; i < n; ++i) {
    const double at = random.Unit();
    for (int32_t k = 0; k < d; ++k) {
      points.values.push_back(std::sin((1 + k % 5) * (at * 6 + k)));
    }
  }
  return points;
}

TEST(ChooseIndexTest, BoxTreeWherePointsLieNearACurve) {
  const PointMatrix points = CurvePoints(8192, 64);
  const double radius_key =
      1e-3 * DistanceKey(Norm::kL2, points.Row(0), points.Row(1), 64);
  const absl::StatusOr<IndexKind> kind =
      ChooseIndexKind(points, Norm::kL2, radius_key);
  ASSERT_TRUE(kind.ok()) << kind.status();
  EXPECT_EQ(*kind, IndexKind::kBoxTree);
}

// Points of `groups` far from each other.
PointMatrix GroupedPoints(int32_t n, int32_t d, int32_t groups) {
  Random random(7);
  std::vector<double> centers;
  for (int32_t i = 0; i < groups * d; ++i) centers.push_back(random.Unit());
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t k = 0; k < d; ++k) {
      points.values.push_back(centers[i % groups * d + k] +
                              0.001 * random.Unit());
    }
  }
  return points;
}

TEST(ChooseIndexTest, VpTreeWherePointsLieInFarGroups) {
  const absl::StatusOr<IndexKind> kind = ChooseIndexKind(
      GroupedPoints(8192, 32, 50), Norm::kL2, /*radius_key=*/0.0032);
  ASSERT_TRUE(kind.ok()) << kind.status();
  EXPECT_EQ(*kind, IndexKind::kVpTree);
}

TEST(ChooseIndexTest, KNearestOnGpu) {
  constexpr int64_t kMost = int64_t{1} << 17;
  constexpr int64_t kQueries = int64_t{1} << 16;
  EXPECT_EQ(ChooseKNearestIndexOnGpu(kMost, kQueries, 6),
            IndexKind::kBruteForce);
  EXPECT_EQ(ChooseKNearestIndexOnGpu(kMost + 1, kQueries, 6),
            IndexKind::kBoxTree);
  EXPECT_EQ(ChooseKNearestIndexOnGpu(kMost, kQueries + 1, 6),
            IndexKind::kBoxTree);
  EXPECT_EQ(ChooseKNearestIndexOnGpu(1, 1, 300), IndexKind::kBruteForce);
  EXPECT_EQ(ChooseKNearestIndexOnGpu(1, 1, 5), IndexKind::kBoxTree);
  constexpr int64_t kAll = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(ChooseKNearestIndexOnGpu(kAll, kAll, 300), IndexKind::kBoxTree);
}

TEST(ChooseIndexTest, DeviceForKNearest) {
  const auto device = [](Device requested, std::optional<IndexKind> index,
                         int32_t num_points, int32_t num_dimensions) {
    return DeviceForKNearest(requested, index, num_points, num_points,
                             num_dimensions);
  };
  constexpr Device kAuto = Device::kAuto;
  constexpr int32_t kFew = 1000;
  constexpr int32_t kMany = 1 << 20;
  EXPECT_EQ(device(kAuto, std::nullopt, kFew, 5), Device::kCpu);
  // The GPU compares all pairs.
  EXPECT_EQ(device(kAuto, std::nullopt, kFew, 6), kAuto);
  EXPECT_EQ(device(kAuto, std::nullopt, kMany, 9), Device::kCpu);
  EXPECT_EQ(device(kAuto, std::nullopt, kMany, 10), kAuto);
  EXPECT_EQ(device(kAuto, IndexKind::kVpTree, kFew, 9), Device::kCpu);
  EXPECT_EQ(device(kAuto, IndexKind::kBoxTree, kFew, 10), kAuto);
  EXPECT_EQ(device(kAuto, IndexKind::kBruteForce, kFew, 2), kAuto);
  EXPECT_EQ(device(Device::kCuda, std::nullopt, kFew, 2), Device::kCuda);
  EXPECT_EQ(device(Device::kCpu, std::nullopt, kFew, 300), Device::kCpu);
}

TEST(ChooseIndexTest, TheSameInEveryRun) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const PointMatrix points = UniformPoints(5000, 8, seed);
    const double radius_key =
        0.1 * DistanceKey(Norm::kL2, points.Row(0), points.Row(1), 8);
    const absl::StatusOr<IndexForecast> first =
        ForecastIndexes(points, Norm::kL2, radius_key);
    const absl::StatusOr<IndexForecast> second =
        ForecastIndexes(points, Norm::kL2, radius_key);
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(first->box_work.count, second->box_work.count);
    EXPECT_EQ(first->vp_work.nearest, second->vp_work.nearest);
    EXPECT_EQ(first->Fastest(), second->Fastest());
  }
}

// Counted on all points, the distances of a forecast are those of the trees;
// from a sample, they are right within a factor.
TEST(ChooseIndexTest, ForecastsTheDistancesOfTheSearches) {
  const PointMatrix points = UniformPoints(20000, 6, 1);
  const double radius_key =
      0.01 * DistanceKey(Norm::kL2, points.Row(0), points.Row(1), 6);
  const absl::StatusOr<IndexForecast> forecast =
      ForecastIndexes(points, Norm::kL2, radius_key);
  ASSERT_TRUE(forecast.ok()) << forecast.status();
  std::vector<int32_t> counts(points.num_points);
  for (const bool vp_tree : {false, true}) {
    const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
        (vp_tree ? BuildVpTreeIndex : BuildBoxTreeIndex)(points, Norm::kL2, 1);
    ASSERT_TRUE(index.ok()) << index.status();
    ASSERT_TRUE((*index)->CountWithin(radius_key, absl::MakeSpan(counts)).ok());
    const double counted =
        static_cast<double>((*index)->distance_evaluations()) /
        points.num_points;
    const double expected =
        vp_tree ? forecast->vp_work.count : forecast->box_work.count;
    EXPECT_GT(expected, counted / 4) << vp_tree;
    EXPECT_LT(expected, counted * 4) << vp_tree;
  }
}

TEST(ChooseIndexTest, ForecastsOfFewPoints) {
  for (const int32_t n : {0, 1, 2, 40}) {
    const absl::StatusOr<IndexForecast> forecast =
        ForecastIndexes(UniformPoints(n, 9, 1), Norm::kL1, 0.3);
    ASSERT_TRUE(forecast.ok()) << forecast.status();
    EXPECT_GE(forecast->box_seconds, 0) << n;
    EXPECT_GE(forecast->vp_seconds, 0) << n;
  }
  EXPECT_EQ(ForecastIndexes(UniformPoints(40, 9, 1), Norm::kL2, std::nan(""))
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ChooseIndexTest, ExtremeRadii) {
  const PointMatrix points = UniformPoints(3000, 5, 1);
  for (const double radius_key :
       {0.0, std::numeric_limits<double>::denorm_min(),
        std::numeric_limits<double>::infinity()}) {
    const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
        ChooseIndex(points, Norm::kL2, radius_key, 1);
    ASSERT_TRUE(index.ok()) << index.status();
    std::vector<int32_t> counts(3000);
    ASSERT_TRUE((*index)->CountWithin(radius_key, absl::MakeSpan(counts)).ok());
    EXPECT_EQ(counts[7], std::isinf(radius_key) ? 2999 : 0);
  }
}

TEST(ChooseIndexTest, RejectsBadArguments) {
  PointMatrix points = UniformPoints(10, 2, 1);
  EXPECT_EQ(ChooseIndex(points, Norm::kL2, -1, 1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ChooseIndex(points, Norm::kL2, std::nan(""), 1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ChooseIndex(points, Norm::kL2, 1, -1).status().message(),
            "num_threads: expected at least 0, found -1");
  for (const auto& build :
       {BuildBoxTreeIndex, BuildVpTreeIndex, BuildBruteForceIndex}) {
    EXPECT_EQ(build(points, Norm::kL2, -1).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  points.values[3] = std::nan("");
  EXPECT_EQ(ChooseIndex(points, Norm::kL2, 1, 1).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
