// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cutoff_distance.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/key_selection.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                               Metric::kChebyshev, Metric::kAngular,
                               Metric::kCosine};

PointMatrix OnALine(const std::vector<double>& values) {
  PointMatrix points;
  points.num_points = static_cast<int32_t>(values.size());
  points.num_dimensions = 1;
  points.values = values;
  return points;
}

double Choose(const PointMatrix& points, double quantile) {
  const absl::StatusOr<CutoffDistance> cutoff =
      ChooseCutoffDistance(points, Metric::kEuclidean, quantile, 1, 1);
  EXPECT_TRUE(cutoff.ok()) << cutoff.status();
  return cutoff.ok() ? cutoff->distance : -1;
}

// Distances of 0, 1, 3, 7: 1, 2, 3, 4, 6, 7.
TEST(CutoffDistanceTest, WorkedQuantiles) {
  const PointMatrix points = OnALine({0, 1, 3, 7});
  EXPECT_EQ(Choose(points, 1e-9), 1);
  EXPECT_EQ(Choose(points, 1.0 / 6), 1);
  EXPECT_EQ(Choose(points, 0.17), 2);
  EXPECT_EQ(Choose(points, 0.5), 3);
  EXPECT_EQ(Choose(points, 0.51), 4);
  EXPECT_EQ(Choose(points, 1), 7);
}

TEST(CutoffDistanceTest, EqualsASortOfAllPairs) {
  int replaced = 0, refused = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Metric metric = kMetrics[seed % 5];
    PointMatrix points = RandomPoints(seed);
    ASSERT_TRUE(PrepareForMetric(metric, &points).ok());
    for (const double quantile : {0.001, 0.02, 0.3, 1.0}) {
      const double expected = NaiveCutoffDistance(points, metric, quantile);
      const absl::StatusOr<CutoffDistance> cutoff =
          ChooseCutoffDistance(points, metric, quantile, seed, 1 + seed % 3);
      ASSERT_EQ(cutoff.ok(), expected > 0) << cutoff.status();
      if (!cutoff.ok()) {
        EXPECT_EQ(cutoff.status().code(), absl::StatusCode::kInvalidArgument);
        ++refused;
        continue;
      }
      EXPECT_EQ(cutoff->distance, expected);
      EXPECT_FALSE(cutoff->sampled);
      replaced += cutoff->replaced;
    }
  }
  EXPECT_GT(replaced, 10);
  EXPECT_GT(refused, 10);
}

TEST(CutoffDistanceTest, SampleIsSeededNearAndTheSameWithAnyThreads) {
  Random random(5);
  std::vector<double> values(20000);
  for (double& value : values) value = random.Unit();
  const PointMatrix points = OnALine(values);
  const auto choose = [&](uint64_t seed, int threads) {
    const absl::StatusOr<CutoffDistance> cutoff =
        ChooseCutoffDistance(points, Metric::kEuclidean, 0.02, seed, threads);
    EXPECT_TRUE(cutoff.ok() && cutoff->sampled && !cutoff->replaced);
    return cutoff.ok() ? cutoff->distance : 0;
  };
  const double distance = choose(1, 1);
  EXPECT_EQ(distance, choose(1, 3));
  EXPECT_NE(distance, choose(2, 3));
  // P(|x - y| < t) = 2 t - t^2 for uniform x and y.
  const double exact = 1 - std::sqrt(1 - 0.02);
  EXPECT_NEAR(distance, exact, 0.02 * exact);
}

// The definition of the sample, computed here.
TEST(CutoffDistanceTest, SampleIsTheOneDocumented) {
  constexpr int32_t kPoints = 4800;
  for (const int32_t d : {1, 5, 40, 70}) {
    SCOPED_TRACE(testing::Message() << d << " dimensions");
    const Norm norm = d == 5 ? Norm::kL1 : Norm::kL2;
    const Metric metric = d == 5 ? Metric::kManhattan : Metric::kEuclidean;
    Random random(6);
    PointMatrix points;
    points.num_points = kPoints;
    points.num_dimensions = d;
    // Near few axes, for the filter that knows them.
    for (int64_t i = 0; i < int64_t{kPoints} * d; ++i) {
      points.values.push_back(random.Unit() / static_cast<double>(1 + i % d));
    }
    std::vector<double> keys;
    const std::vector<int32_t> rows =
        internal::SamplePoints(kPoints, 2000, 9, 0);
    EXPECT_EQ(rows.size(), 2000);
    for (const int32_t row : rows) {
      for (int32_t column = 0; column < kPoints; ++column) {
        if (column != row) keys.push_back(NaiveKey(points, norm, row, column));
      }
    }
    std::sort(keys.begin(), keys.end());
    for (const double quantile : {1e-9, 0.02, 0.1, 0.5, 0.9999, 1.0}) {
      const size_t index = static_cast<size_t>(std::ceil(
                               quantile * static_cast<double>(keys.size()))) -
                           1;
      const absl::StatusOr<CutoffDistance> cutoff =
          ChooseCutoffDistance(points, metric, quantile, 9, 2);
      ASSERT_TRUE(cutoff.ok());
      EXPECT_EQ(cutoff->distance, DistanceOfKey(metric, keys[index]))
          << quantile;
    }
  }
}

// Enough pairs for bounds, and tiles that are not full.
TEST(CutoffDistanceTest, AllPairsOfManyPoints) {
  for (const size_t n : {1030, 1500}) {
    for (const uint64_t num_values : {uint64_t{40}, uint64_t{1} << 40}) {
      SCOPED_TRACE(testing::Message()
                   << n << " points, " << num_values << " values");
      Random random(n);
      std::vector<double> values(n);
      for (double& value : values) {
        value = static_cast<double>(random.Below(num_values));
      }
      // Near points have near numbers.
      std::sort(values.begin(), values.end());
      const PointMatrix points = OnALine(values);
      for (const double quantile : {1e-9, 0.02, 0.5, 1.0}) {
        EXPECT_EQ(Choose(points, quantile),
                  NaiveCutoffDistance(points, Metric::kEuclidean, quantile));
      }
    }
  }
}

TEST(CutoffDistanceTest, ManyQuantilesAreThoseOneByOne) {
  Random random(7);
  for (const size_t n : {2, 5, 300, 1500, 4800}) {
    for (const uint64_t num_values : {uint64_t{2}, uint64_t{1} << 40}) {
      SCOPED_TRACE(testing::Message()
                   << n << " points, " << num_values << " values");
      std::vector<double> values(n);
      for (double& value : values) {
        value = static_cast<double>(random.Below(num_values));
      }
      values[0] = 1000;
      const PointMatrix points = OnALine(values);
      // Not in order, some equal, some on either side of a tenth.
      const std::vector<double> quantiles = {0.02, 0.0001, 0.09, 0.02,
                                             0.5,  0.1,    1e-9, 1};
      const absl::StatusOr<std::vector<CutoffDistance>> cutoffs =
          ChooseCutoffDistances(points, Metric::kEuclidean, quantiles, 3, 2);
      ASSERT_TRUE(cutoffs.ok()) << cutoffs.status();
      ASSERT_EQ(cutoffs->size(), quantiles.size());
      for (size_t q = 0; q < quantiles.size(); ++q) {
        const absl::StatusOr<CutoffDistance> one = ChooseCutoffDistance(
            points, Metric::kEuclidean, quantiles[q], 3, 1);
        ASSERT_TRUE(one.ok()) << one.status();
        EXPECT_EQ((*cutoffs)[q].distance, one->distance) << quantiles[q];
        EXPECT_EQ((*cutoffs)[q].sampled, one->sampled);
        EXPECT_EQ((*cutoffs)[q].replaced, one->replaced);
      }
    }
  }
}

TEST(CutoffDistanceTest, DuplicatesAlone) {
  // One of 10,000 points differs: the sample may miss it, the answer must not.
  for (const int32_t different : {0, 1234, 9999}) {
    std::vector<double> values(10000, 3);
    values[different] = 5;
    const absl::StatusOr<CutoffDistance> cutoff =
        ChooseCutoffDistance(OnALine(values), Metric::kEuclidean, 0.02, 1, 2);
    ASSERT_TRUE(cutoff.ok()) << cutoff.status();
    EXPECT_EQ(cutoff->distance, 2);
    EXPECT_TRUE(cutoff->replaced);
    EXPECT_TRUE(cutoff->sampled);
  }
  for (const size_t n : {1, 2, 33, 10000}) {
    const absl::StatusOr<CutoffDistance> cutoff = ChooseCutoffDistance(
        OnALine(std::vector<double>(n, 3)), Metric::kEuclidean, 0.02, 1, 2);
    EXPECT_EQ(cutoff.status().code(), absl::StatusCode::kInvalidArgument) << n;
  }
}

PointMatrix OnALattice(int32_t n, uint64_t side, uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = 2;
  for (int32_t i = 0; i < 2 * n; ++i) {
    points.values.push_back(static_cast<double>(random.Below(side)));
  }
  return points;
}

// Keys of another device, computed here.
class OtherKeys final : public internal::PairKeys {
 public:
  OtherKeys(const PointMatrix& points, const internal::PairsToCount& pairs)
      : points_(points), pairs_(pairs) {}

  absl::Status Find(absl::Span<const int32_t> columns,
                    KeysBetween* keys) override {
    if (--good_calls < 0) return absl::DataLossError("lost keys");
    std::vector<double> all;
    for (const int32_t column : columns) {
      for (const int32_t row : pairs_.rows) {
        if (row < column || (pairs_.sampled && row > column)) {
          all.push_back(Key(row, column));
        }
      }
    }
    keys->Take(all);
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<double>> Sample() override {
    if (--good_calls < 0) return absl::DataLossError("lost sample");
    std::vector<double> some;
    for (size_t k = 1; k < pairs_.columns.size(); ++k) {
      const int32_t row = pairs_.rows[k * 7 % pairs_.rows.size()];
      if (row != pairs_.columns[k]) some.push_back(Key(row, pairs_.columns[k]));
    }
    return some;
  }

  // Later ones fail.
  int good_calls = 1000;

 private:
  double Key(int32_t i, int32_t j) const {
    return DistanceKey(Norm::kL2, points_.Row(i), points_.Row(j),
                       points_.num_dimensions);
  }

  const PointMatrix& points_;
  const internal::PairsToCount& pairs_;
};

// With points here an error is made up for; without them it is the result.
TEST(CutoffDistanceTest, KeysOfAnotherDeviceAreAsGood) {
  for (const int32_t n : {30, 1100, 4500}) {
    PointMatrix points = OnALattice(n, 40, n);
    // Mostly duplicates: then the smallest positive key is asked for, too.
    for (const bool equal : {false, true}) {
      if (equal) std::fill(points.values.begin(), points.values.end() - 9, 1);
      const internal::PairsToCount pairs = internal::ChoosePairsToCount(n, 3);
      const auto keys = std::make_shared<OtherKeys>(points, pairs);
      internal::SampleShare share;
      const auto choose = [&](const PointMatrix* here) {
        return internal::CutoffDistancesOfPairs(
            here, pairs, Metric::kEuclidean, {0.02, 0.03, 0.6}, 2,
            []() -> absl::StatusOr<double> { return 4; }, share);
      };
      const auto expected = choose(&points);
      ASSERT_TRUE(expected.ok()) << expected.status();
      share.pair_keys = keys;
      const auto expect_same = [&](const PointMatrix* here) {
        const auto found = choose(here);
        ASSERT_TRUE(found.ok()) << found.status();
        for (size_t q = 0; q < 3; ++q) {
          EXPECT_EQ((*found)[q].distance, (*expected)[q].distance);
          EXPECT_EQ((*found)[q].replaced, (*expected)[q].replaced);
        }
      };
      expect_same(nullptr);
      if (pairs.sampled) continue;  // There are too many for all that follows.
      const int calls = 1000 - keys->good_calls;
      for (int good = 0; good < calls; ++good) {
        keys->good_calls = good;
        expect_same(&points);
        keys->good_calls = good;
        EXPECT_EQ(choose(nullptr).status().code(), absl::StatusCode::kDataLoss);
      }
    }
  }
}

TEST(CutoffDistanceTest, ErrorsOfOtherRanksAreTheResult) {
  const PointMatrix points = OnALattice(5000, 1000, 1);
  internal::SampleShare share;
  share.num_parts = 2;
  share.add_others = [](KeysBetween*) { return absl::AbortedError("gone"); };
  const auto found = internal::CutoffDistancesOfPairs(
      &points, internal::ChoosePairsToCount(5000, 3), Metric::kEuclidean,
      {0.02}, 2, []() -> absl::StatusOr<double> { return 4; }, share);
  EXPECT_EQ(found.status(), absl::AbortedError("gone"));
}

TEST(CutoffDistanceTest, RefusesWhatIsNoQuantile) {
  for (const double quantile :
       {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(ChooseCutoffDistance(OnALine({0, 1, 5}), Metric::kEuclidean,
                                   quantile, 1, 1)
                  .status()
                  .code(),
              absl::StatusCode::kInvalidArgument)
        << quantile;
  }
}

TEST(CutoffDistanceTest, RadiusIsNeverZero) {
  EXPECT_EQ(internal::RadiusKey(Metric::kEuclidean, 3), 9);
  EXPECT_GT(internal::RadiusKey(Metric::kEuclidean, 1e-200), 0);
  EXPECT_GT(internal::RadiusKey(Metric::kAngular, 1e-200), 0);
}

TEST(SamplePointsTest, DistinctAscendingAndComplete) {
  for (const int32_t n : {0, 1, 5, 1000}) {
    for (const int32_t k : {0, 1, 4, 900, 2000}) {
      const std::vector<int32_t> sample = internal::SamplePoints(n, k, 3, 1);
      EXPECT_EQ(sample.size(), static_cast<size_t>(std::min(n, k)));
      for (size_t i = 0; i < sample.size(); ++i) {
        EXPECT_GE(sample[i], i == 0 ? 0 : sample[i - 1] + 1);
        EXPECT_LT(sample[i], n);
      }
      EXPECT_EQ(sample, internal::SamplePoints(n, k, 3, 1));
    }
  }
  EXPECT_NE(internal::SamplePoints(1000, 20, 3, 1),
            internal::SamplePoints(1000, 20, 4, 1));
  EXPECT_NE(internal::SamplePoints(1000, 20, 3, 1),
            internal::SamplePoints(1000, 20, 3, 2));
}

}  // namespace
}  // namespace warpclust
