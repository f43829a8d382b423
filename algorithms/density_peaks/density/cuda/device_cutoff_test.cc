// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Cutoff distances on the GPU, against those of the CPU. Without a GPU the CPU
// meets the pairs, but of the points that were taken for it.

#include "algorithms/density_peaks/density/cuda/device_cutoff.h"

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

PointMatrix RandomPoints(int32_t n, int32_t d, uint64_t values) {
  Random random(n);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int64_t i = 0; i < int64_t{n} * d; ++i) {
    points.values.push_back(static_cast<double>(random.Below(values)));
  }
  return points;
}

void ExpectSame(const PointMatrix& points, Metric metric,
                const std::vector<double>& quantiles) {
  constexpr uint64_t kSeed = 5;
  const absl::StatusOr<std::vector<CutoffDistance>> expected =
      ChooseCutoffDistances(points, metric, quantiles, kSeed, 2);
  const absl::StatusOr<std::vector<CutoffDistance>> found =
      ChooseCutoffDistancesOn(Device::kCuda, points, metric, quantiles, kSeed,
                              2);
  ASSERT_EQ(found.status(), expected.status());
  if (!expected.ok()) return;
  ASSERT_EQ(found->size(), expected->size());
  for (size_t q = 0; q < found->size(); ++q) {
    EXPECT_EQ((*found)[q].distance, (*expected)[q].distance);
    EXPECT_EQ((*found)[q].quantile, (*expected)[q].quantile);
    EXPECT_EQ((*found)[q].sampled, (*expected)[q].sampled);
    EXPECT_EQ((*found)[q].replaced, (*expected)[q].replaced);
  }
}

// All pairs and a sample, with few pairs for a GPU and many.
TEST(DeviceCutoffTest, IsThatOfTheCpu) {
  for (const int32_t n : {0, 1, 2, 30, 4400, 5200, 9000}) {
    for (const int32_t d : {1, 9}) {
      SCOPED_TRACE(absl::StrCat(n, " x ", d));
      const PointMatrix points = RandomPoints(n, d, 1000);
      ExpectSame(points, Metric::kEuclidean, {0.02});
      ExpectSame(points, Metric::kManhattan, {1e-9, 0.01, 0.3, 1});
    }
  }
}

// What the others compare is found there.
TEST(DeviceCutoffTest, UsesTheGpuThatIsThere) {
  PointMatrix points = RandomPoints(4400, 9, 1000);
  internal::PairsToCount pairs =
      internal::ChoosePairsToCount(points.num_points, 5);
  ASSERT_EQ(internal::NumberPoints(&pairs).size(), size_t{4400});
  const Norm norm = NormOfMetric(Metric::kEuclidean);
  EXPECT_TRUE(internal::PairKeysOn(Device::kCpu, points, pairs, norm) ==
              nullptr);
  if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  EXPECT_TRUE(internal::PairKeysOn(Device::kCuda, points, pairs, norm) !=
              nullptr);
}

// Most keys, or all of them, are 0. The only other point may be in no pair.
TEST(DeviceCutoffTest, Duplicates) {
  PointMatrix points = RandomPoints(12000, 9, 1);
  ExpectSame(points, Metric::kEuclidean, {0.02});
  points.values[9 * 7000] = 3;
  ExpectSame(points, Metric::kEuclidean, {0.02, 1});
  for (int32_t i = 0; i < 9 * 12000; i += 90) points.values[i] = 2;
  ExpectSame(points, Metric::kChebyshev, {0.02});
}

TEST(DeviceCutoffTest, RefusesWhatIsNoQuantile) {
  for (const double quantile : {0.0, 1.1}) {
    ExpectSame(RandomPoints(5000, 9, 10), Metric::kEuclidean, {quantile});
  }
}

}  // namespace
}  // namespace warpclust
