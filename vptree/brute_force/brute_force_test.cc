// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Brute force against the plain loop over all pairs, on points that are hard
// for a single-precision filter.

#include "vptree/brute_force/brute_force.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/cpu_features.h"
#include "base/machine/work_share.h"
#include "base/numbers/random.h"
#include "base/numbers/shuffle.h"
#include "gtest/gtest.h"
#include "vptree/brute_force/brute_force_k_nearest.h"
#include "vptree/brute_force/testing/filter_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Keys of all pairs, row by row.
std::vector<double> MakeKeys(const PointMatrix& points, Norm norm) {
  const int32_t n = points.num_points;
  std::vector<double> keys(static_cast<size_t>(n) * n);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < i; ++j) {
      keys[static_cast<size_t>(i) * n + j] =
          keys[static_cast<size_t>(j) * n + i] = DistanceKey(
              norm, points.Row(i), points.Row(j), points.num_dimensions);
    }
  }
  return keys;
}

// Keys of pairs, so that some pair lies exactly at the radius, the doubles
// beside them, and the extremes.
std::vector<double> MakeRadii(const std::vector<double>& all_keys,
                              Random* random) {
  std::vector<double> radii = {0, kInfinity,
                               std::numeric_limits<double>::denorm_min()};
  if (all_keys.size() < 2) return radii;
  std::vector<double> keys;
  for (int i = 0; i < 50; ++i) {
    keys.push_back(all_keys[random->Below(all_keys.size())]);
  }
  std::sort(keys.begin(), keys.end());
  for (const double key : {keys[5], keys[25], keys[49]}) {
    radii.push_back(key);
    radii.push_back(std::nextafter(key, kInfinity));
  }
  radii.push_back(keys[10] / 50);
  return radii;
}

struct Oracle {
  std::vector<int32_t> counts;
  std::vector<NearestPoint> nearest;
  std::vector<int32_t> best;
};

Oracle Solve(const std::vector<double>& keys, double radius_key,
             const std::vector<int32_t>& ranks,
             const std::vector<int32_t>& labels) {
  const int32_t n = static_cast<int32_t>(ranks.size());
  Oracle oracle;
  oracle.counts.assign(n, 0);
  oracle.nearest.resize(n);
  oracle.best.assign(n, n);
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const double key = keys[static_cast<size_t>(i) * n + j];
      if (key < radius_key) {
        ++oracle.counts[i];
        if (labels[i] != labels[j]) {
          oracle.best[i] = std::min(oracle.best[i], ranks[j]);
        }
      }
      if (ranks[j] < ranks[i] &&
          Preferred(key, j, oracle.nearest[i].key, oracle.nearest[i].id)) {
        oracle.nearest[i] = {key, j};
      }
    }
  }
  return oracle;
}

void ExpectExact(const PointMatrix& points, Norm norm, int num_threads,
                 int num_radii, Random* random) {
  const int32_t n = points.num_points;
  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  Shuffle(absl::MakeSpan(ranks), random);
  std::vector<int32_t> labels(n);
  const uint64_t num_labels = 1 + random->Below(4);
  for (int32_t& label : labels) {
    label = static_cast<int32_t>(random->Below(num_labels));
  }
  const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
      BuildBruteForceIndex(points, norm, num_threads);
  ASSERT_TRUE(index.ok()) << index.status();
  ASSERT_EQ((*index)->num_points(), n);
  const std::vector<double> keys = MakeKeys(points, norm);
  std::vector<double> radii = MakeRadii(keys, random);
  while (radii.size() > static_cast<size_t>(num_radii)) {
    radii.erase(radii.begin() + random->Below(radii.size()));
  }
  // More radii than are counted together, some of them equal.
  std::vector<double> many = MakeRadii(keys, random);
  for (const double key : MakeRadii(keys, random)) many.push_back(key);
  std::sort(many.begin(), many.end());
  many.resize(1 + random->Below(many.size()));
  std::vector<int32_t> of_many(n * many.size(), -1);
  ASSERT_TRUE((*index)->CountWithinEach(many, absl::MakeSpan(of_many)).ok());
  for (size_t r = 0; r < many.size(); ++r) {
    ASSERT_EQ(std::vector<int32_t>(of_many.begin() + r * n,
                                   of_many.begin() + (r + 1) * n),
              Solve(keys, many[r], ranks, labels).counts)
        << "radius " << r << " of " << many.size();
  }
  // Sometimes more rankings than are searched together.
  std::vector<int32_t> rankings = ranks;
  const int num_rankings =
      static_cast<int>(1 + random->Below(random->Below(16) == 0 ? 20 : 3));
  for (int r = 1; r < num_rankings; ++r) {
    std::vector<int32_t> others = ranks;
    // Few or many differ.
    const int64_t changes = random->Below(2) == 0 ? 3 : n;
    for (int64_t c = 0; n > 0 && c < changes; ++c) {
      std::swap(others[random->Below(n)], others[random->Below(n)]);
    }
    rankings.insert(rankings.end(), others.begin(), others.end());
  }
  std::vector<NearestPoint> of_rankings(rankings.size(), NearestPoint{1, 7});
  ASSERT_TRUE((*index)
                  ->NearestOfHigherRanks(rankings, absl::MakeSpan(of_rankings))
                  .ok());
  for (int r = 0; r < num_rankings; ++r) {
    const auto begin = rankings.begin() + int64_t{r} * n;
    ASSERT_EQ(
        std::vector<NearestPoint>(of_rankings.begin() + int64_t{r} * n,
                                  of_rankings.begin() + int64_t{r + 1} * n),
        Solve(keys, 1, std::vector<int32_t>(begin, begin + n), labels).nearest)
        << "ranking " << r << " of " << num_rankings;
  }
  for (const double radius_key : radii) {
    SCOPED_TRACE(absl::StrCat("radius key ", radius_key));
    const Oracle oracle = Solve(keys, radius_key, ranks, labels);
    std::vector<int32_t> counts(n, -1);
    ASSERT_TRUE((*index)->CountWithin(radius_key, absl::MakeSpan(counts)).ok());
    ASSERT_EQ(counts, oracle.counts);
    // From nothing, or from the answers for other ranks.
    std::vector<NearestPoint> nearest(n);
    if (random->Below(2) == 0) {
      std::vector<int32_t> others = ranks;
      for (int32_t i = 1; i < n; ++i) {
        std::swap(others[i], others[random->Below(i + 1)]);
      }
      ASSERT_TRUE(
          (*index)->NearestOfHigherRank(others, absl::MakeSpan(nearest)).ok());
    }
    ASSERT_TRUE(
        (*index)->NearestOfHigherRank(ranks, absl::MakeSpan(nearest)).ok());
    for (int32_t i = 0; i < n; ++i) {
      ASSERT_EQ(nearest[i].id, oracle.nearest[i].id) << "point " << i;
      ASSERT_EQ(nearest[i].key, oracle.nearest[i].key) << "point " << i;
    }
    std::vector<int32_t> best(n, n);
    ASSERT_TRUE((*index)
                    ->HighestRankOfOtherLabel(radius_key, ranks, labels,
                                              absl::MakeSpan(best))
                    .ok());
    ASSERT_EQ(best, oracle.best);
    // From bounds, some of them 0.
    std::vector<int32_t> expected(n);
    for (int32_t i = 0; i < n; ++i) {
      best[i] = random->Below(3) == 0
                    ? 0
                    : static_cast<int32_t>(random->Below(n + 1));
      expected[i] = std::min(best[i], oracle.best[i]);
    }
    ASSERT_TRUE((*index)
                    ->HighestRankOfOtherLabel(radius_key, ranks, labels,
                                              absl::MakeSpan(best))
                    .ok());
    ASSERT_EQ(best, expected);
  }
}

class BruteForceTest : public ::testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    SetSimdLevelLimitForTesting(GetParam());
    if (CpuSimdLevel() != GetParam()) GTEST_SKIP();
  }
  void TearDown() override { SetSimdLevelLimitForTesting(SimdLevel::kAvx512); }
};

TEST_P(BruteForceTest, EqualsPlainLoop) {
  const int32_t sizes[] = {0, 1, 2, 31, 32, 33, 64, 100, 257};
  const int32_t dimensions[] = {1, 2, 3, 8, 65, 300};
  uint64_t seed = 1;
  for (const FilterPoints kind : kFilterPoints) {
    for (const int32_t n : sizes) {
      for (const int32_t d : dimensions) {
        // The plain loop takes its time.
        if (d > 8 && (n == 32 || n == 64)) continue;
        if (d > 65 && n > 100 && kind != FilterPoints::kFewFactors &&
            kind != FilterPoints::kClusters && kind != FilterPoints::kUniform) {
          continue;
        }
        Random random(++seed);
        const PointMatrix points = MakeFilterPoints(kind, n, d, &random);
        for (const Norm norm : {Norm::kL2, Norm::kL1, Norm::kLInf}) {
          const int num_threads = static_cast<int>(1 + random.Below(3));
          SCOPED_TRACE(absl::StrCat("seed ", seed, ", kind ",
                                    static_cast<int>(kind), ", ", n, " x ", d,
                                    ", norm ", static_cast<int>(norm), ", ",
                                    num_threads, " threads"));
          ExpectExact(points, norm, num_threads, d > 8 ? 2 : 4, &random);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Enough tiles that they are skipped, counted whole and visited first.
TEST_P(BruteForceTest, ManyTiles) {
  uint64_t seed = 1000;
  for (const FilterPoints kind :
       {FilterPoints::kUniform, FilterPoints::kClusters, FilterPoints::kLattice,
        FilterPoints::kFewFactors, FilterPoints::kDuplicates,
        FilterPoints::kMixedScales, FilterPoints::kFarPairs}) {
    for (const int32_t d : {2, 9, 70}) {
      Random random(++seed);
      const PointMatrix points = MakeFilterPoints(kind, 900, d, &random);
      SCOPED_TRACE(absl::StrCat("seed ", seed, ", kind ",
                                static_cast<int>(kind), ", d ", d));
      ExpectExact(points, d == 9 ? Norm::kL1 : Norm::kL2, 2, 2, &random);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, BruteForceTest,
                         ::testing::Values(SimdLevel::kBaseline,
                                           SimdLevel::kAvx2,
                                           SimdLevel::kAvx512));

TEST(BruteForceIndexTest, EstimatesAndCounts) {
  Random random(3);
  const PointMatrix points =
      MakeFilterPoints(FilterPoints::kUniform, 2000, 4, &random);
  const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
      BuildBruteForceIndex(points, Norm::kL2, 1);
  ASSERT_TRUE(index.ok());
  EXPECT_EQ((*index)->name(), "brute force");
  EXPECT_EQ((*index)->distance_evaluations(), 0);
  const absl::StatusOr<double> seconds = (*index)->EstimateSeconds(0.1);
  ASSERT_TRUE(seconds.ok());
  EXPECT_GT(*seconds, 0);
  EXPECT_LT(*seconds, 10);
  const int64_t before = (*index)->distance_evaluations();
  std::vector<int32_t> counts(2000);
  ASSERT_TRUE((*index)->CountWithin(0.1, absl::MakeSpan(counts)).ok());
  EXPECT_GT((*index)->distance_evaluations(), before);
  EXPECT_LT((*index)->distance_evaluations(), before + 2500 * 2500 / 2);
}

TEST(KNearestByBruteForceTest, VisitsNothingOnceStopped) {
  Random random(3);
  const PointMatrix points =
      MakeFilterPoints(FilterPoints::kUniform, 300, 4, &random);
  WorkShare work;
  work.RequestStop();
  std::vector<NearestPoint> nearest(300);
  KNearestByBruteForce(points, /*queries=*/nullptr, Norm::kL2, /*k=*/1,
                       /*num_threads=*/2, &work, absl::MakeSpan(nearest));
  for (const NearestPoint& point : nearest) EXPECT_EQ(point.id, -1);
}

TEST(BruteForceIndexTest, RejectsBadArguments) {
  PointMatrix points;
  points.num_points = 2;
  points.num_dimensions = 1;
  points.values = {0, 1};
  const absl::StatusOr<std::unique_ptr<NeighborIndex>> index =
      BuildBruteForceIndex(points, Norm::kL2, 1);
  ASSERT_TRUE(index.ok());
  std::vector<int32_t> counts(2);
  std::vector<int32_t> three(3);
  std::vector<int32_t> two = {0, 1};
  std::vector<NearestPoint> nearest(2);
  const auto code = [](const absl::Status& status) { return status.code(); };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(code((*index)->CountWithin(-1, absl::MakeSpan(counts))), kInvalid);
  EXPECT_EQ(code((*index)->CountWithin(std::nan(""), absl::MakeSpan(counts))),
            kInvalid);
  EXPECT_EQ(code((*index)->CountWithin(1, absl::MakeSpan(three))), kInvalid);
  std::vector<int32_t> four(4);
  EXPECT_EQ(code((*index)->CountWithinEach({1, 2}, absl::MakeSpan(counts))),
            kInvalid);
  EXPECT_EQ(code((*index)->CountWithinEach({2, 1}, absl::MakeSpan(four))),
            kInvalid);
  ASSERT_TRUE((*index)->CountWithinEach({1, 2}, absl::MakeSpan(four)).ok());
  EXPECT_EQ(four, (std::vector<int32_t>{0, 0, 1, 1}));
  EXPECT_EQ(code((*index)->NearestOfHigherRank(three, absl::MakeSpan(nearest))),
            kInvalid);
  EXPECT_EQ(code((*index)->HighestRankOfOtherLabel(1, two, three,
                                                   absl::MakeSpan(counts))),
            kInvalid);
  EXPECT_EQ(code((*index)->EstimateSeconds(-1).status()), kInvalid);
  points.values[0] = std::nan("");
  EXPECT_EQ(code(BuildBruteForceIndex(points, Norm::kL2, 1).status()),
            kInvalid);
}

}  // namespace
}  // namespace warpclust
