// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/pair_keys_cuda.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/device_cutoff.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using internal::PairKeys;
using internal::PairsToCount;

class PairKeysTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

PointMatrix MakePoints(int32_t n, int32_t d, bool lattice, Random* random) {
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    points.values.push_back(lattice ? static_cast<double>(random->Below(2))
                                    : random->Normal());
  }
  return points;
}

// The keys of the rows and columns in [low, high], sorted, and the number
// below.
void Expect(const PointMatrix& points, const PairsToCount& pairs, Norm norm,
            absl::Span<const int32_t> columns, double low, double high) {
  int64_t num_below = 0;
  std::vector<double> expected;
  for (const int32_t row : pairs.rows) {
    for (const int32_t column : columns) {
      if (row == column || (!pairs.sampled && row > column)) continue;
      const double key = DistanceKey(norm, points.Row(row), points.Row(column),
                                     points.num_dimensions);
      if (key < low) {
        ++num_below;
      } else if (key <= high) {
        expected.push_back(key);
      }
    }
  }
  std::sort(expected.begin(), expected.end());
  const absl::StatusOr<std::shared_ptr<PairKeys>> on_gpu =
      PairKeysCuda(points, pairs, norm);
  ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
  // Twice: what the first call left does not count.
  for (int call = 0; call < 2; ++call) {
    KeysBetween keys(low, high);
    const absl::Status status = (*on_gpu)->Find(columns, &keys);
    ASSERT_TRUE(status.ok()) << status;
    std::vector<double> found(keys.kept().begin(), keys.kept().end());
    std::sort(found.begin(), found.end());
    ASSERT_EQ(keys.num_below(), num_below);
    ASSERT_EQ(found, expected);
  }
}

TEST_F(PairKeysTest, AreThoseOfTheCpu) {
  constexpr Norm kNorms[] = {Norm::kL2, Norm::kL1, Norm::kLInf};
  constexpr int32_t kSizes[] = {2, 63, 64, 65, 300};
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int32_t n = kSizes[random.Below(5)];
    const int32_t d = 1 + static_cast<int32_t>(random.Below(40));
    const PointMatrix points = MakePoints(n, d, random.Below(2) == 0, &random);
    PairsToCount pairs;
    pairs.sampled = random.Below(2) == 0;
    for (int32_t i = 0; i < n; ++i) {
      if (!pairs.sampled || random.Below(3) == 0) pairs.rows.push_back(i);
      if (!pairs.sampled || random.Below(2) == 0) pairs.columns.push_back(i);
    }
    // A part of the columns.
    const absl::Span<const int32_t> columns =
        absl::MakeConstSpan(pairs.columns)
            .subspan(0, random.Below(pairs.columns.size() + 1));
    const double low = 0.5 * d * random.Unit();
    Expect(points, pairs, kNorms[random.Below(3)], columns, low,
           low + d * random.Unit());
    if (HasFatalFailure()) return;
  }
}

TEST_F(PairKeysTest, MoreAreKeptThanAtFirst) {
  Random random(3);
  const PointMatrix points = MakePoints(1600, 2, false, &random);
  PairsToCount pairs;
  for (int32_t i = 0; i < points.num_points; ++i) pairs.rows.push_back(i);
  pairs.columns = pairs.rows;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Expect(points, pairs, Norm::kL2, pairs.columns, -kInfinity, kInfinity);
}

TEST_F(PairKeysTest, CutoffDistancesAreThoseOfTheCpu) {
  for (const bool lattice : {false, true}) {
    for (const int32_t n : {40, 1500, 5200}) {
      Random random(n);
      const PointMatrix points = MakePoints(n, 20, lattice, &random);
      const PairsToCount pairs = internal::ChoosePairsToCount(n, 1);
      const absl::StatusOr<std::shared_ptr<PairKeys>> on_gpu =
          PairKeysCuda(points, pairs, Norm::kL2);
      ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
      const auto choose = [&](const PointMatrix* on_host,
                              std::shared_ptr<PairKeys> pair_keys,
                              const std::vector<double>& quantiles) {
        internal::SampleShare share;
        share.pair_keys = std::move(pair_keys);
        const auto cutoffs = internal::CutoffDistancesOfPairs(
            on_host, pairs, Metric::kEuclidean, quantiles, 2,
            []() -> absl::StatusOr<double> { return 1; }, share);
        std::vector<double> distances;
        EXPECT_TRUE(cutoffs.ok()) << cutoffs.status();
        if (!cutoffs.ok()) return distances;
        for (const CutoffDistance& cutoff : *cutoffs) {
          distances.push_back(cutoff.distance);
        }
        return distances;
      };
      for (const std::vector<double>& quantiles :
           {std::vector<double>{1e-9}, {0.02}, {0.5}, {1}, {0.01, 0.05}}) {
        const std::vector<double> expected =
            choose(&points, nullptr, quantiles);
        EXPECT_EQ(choose(&points, *on_gpu, quantiles), expected)
            << n << " points, " << quantiles[0];
        EXPECT_EQ(choose(nullptr, *on_gpu, quantiles), expected)
            << n << " points, " << quantiles[0];
      }
    }
  }
}

TEST_F(PairKeysTest, CutoffDistancesOfPointsOnTheGpuAreThoseOfTheCpu) {
  for (const int32_t n : {4400, 9000}) {
    Random random(n);
    const PointMatrix points = MakePoints(n, 20, false, &random);
    absl::StatusOr<DevicePoints> copied =
        DevicePoints::FromHost(points, Norm::kL2);
    ASSERT_TRUE(copied.ok()) << copied.status();
    const auto choose = [&](std::shared_ptr<const DevicePoints> on_device) {
      return ChooseCutoffDistancesOn(Device::kCuda, points, Metric::kEuclidean,
                                     {0.02}, 5, 2, std::move(on_device));
    };
    const auto expected = choose(nullptr);
    const auto found =
        choose(std::make_shared<DevicePoints>(*std::move(copied)));
    ASSERT_TRUE(expected.ok()) << expected.status();
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->at(0).distance, expected->at(0).distance);
  }
}

// Each is the key of a pair, and the share of small keys is about theirs.
TEST_F(PairKeysTest, SamplesPairs) {
  Random random(6);
  const PointMatrix points = MakePoints(6000, 3, false, &random);
  const PairsToCount pairs = internal::ChoosePairsToCount(6000, 1);
  const absl::StatusOr<std::shared_ptr<PairKeys>> on_gpu =
      PairKeysCuda(points, pairs, Norm::kL1);
  ASSERT_TRUE(on_gpu.ok()) << on_gpu.status();
  std::vector<double> all;
  for (const int32_t row : pairs.rows) {
    for (const int32_t column : pairs.columns) {
      if (row == column) continue;
      all.push_back(DistanceKey(Norm::kL1, points.Row(row), points.Row(column),
                                points.num_dimensions));
    }
  }
  std::sort(all.begin(), all.end());
  const auto sample = (*on_gpu)->Sample();
  ASSERT_TRUE(sample.ok()) << sample.status();
  ASSERT_GT(sample->size(), size_t{1000});
  for (const double key : *sample) {
    ASSERT_TRUE(std::binary_search(all.begin(), all.end(), key));
  }
  for (const double quantile : {0.02, 0.5, 0.9}) {
    const double at =
        all[static_cast<size_t>(quantile * static_cast<double>(all.size()))];
    const auto below = std::count_if(sample->begin(), sample->end(),
                                     [at](double key) { return key < at; });
    EXPECT_NEAR(static_cast<double>(below),
                quantile * static_cast<double>(sample->size()),
                0.02 * static_cast<double>(sample->size()));
  }
}

}  // namespace
}  // namespace warpclust
