// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// One GPU up to all of this computer, against the CPU, bit for bit.

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_gpus.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "algorithms/density_peaks/testing/rank_cases.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

class DensityPeaksOnGpusCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<int> count = CountGpus();
    if (!count.ok()) GTEST_SKIP() << "no GPU here";
    num_gpus_ = *count;
  }

  void ExpectAsOnCpu(const PointMatrix& points, DensityPeaksOptions options) {
    options.device = Device::kCpu;
    const absl::StatusOr<DensityPeaksResult> alone =
        DensityPeaks(points, options);
    for (int gpus = 1; gpus <= num_gpus_; ++gpus) {
      SCOPED_TRACE(testing::Message() << gpus << " GPUs");
      ExpectSame(DensityPeaksOnGpus(points, options, gpus), alone);
    }
  }

  int num_gpus_ = 0;
};

TEST_F(DensityPeaksOnGpusCudaTest, RandomPoints) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(seed);
    Random random(seed, 2);
    DensityPeaksOptions options;
    options.num_threads = 1 + static_cast<int>(random.Below(4));
    options.cutoff_quantile = 0.05;
    options.peaks = RandomRule(&random);
    ExpectAsOnCpu(warpclust::RandomPoints(seed), options);
  }
}

TEST_F(DensityPeaksOnGpusCudaTest, Blobs) {
  ExpectAsOnCpu(RandomBlobs(20000, 3, 5, 1), DensityPeaksOptions());
  ExpectAsOnCpu(RandomBlobs(3000, 40, 5, 2), DensityPeaksOptions());
}

// Fewer than there are GPUs, too.
TEST_F(DensityPeaksOnGpusCudaTest, FewPoints) {
  DensityPeaksOptions options;
  options.cutoff_distance = 1;
  for (int32_t n = 0; n < 6; ++n) {
    SCOPED_TRACE(n);
    ExpectAsOnCpu(Block(RandomBlobs(100, 3, 2, 1), 0, n), options);
  }
}

TEST_F(DensityPeaksOnGpusCudaTest, NamesABadPoint) {
  PointMatrix points = RandomBlobs(100, 3, 2, 1);
  points.values[3 * 75 + 1] = std::numeric_limits<double>::quiet_NaN();
  DensityPeaksOptions options;
  const auto message = [&] {
    return std::string(
        DensityPeaksOnGpus(points, options, num_gpus_).status().message());
  };
  EXPECT_TRUE(absl::StrContains(message(), "point 75")) << message();
  // No direction.
  for (int k = 0; k < 3; ++k) points.values[3 * 75 + k] = 0;
  options.metric = Metric::kAngular;
  EXPECT_TRUE(absl::StrContains(message(), "point 75")) << message();
}

TEST_F(DensityPeaksOnGpusCudaTest, Errors) {
  const PointMatrix points = RandomBlobs(100, 3, 2, 1);
  DensityPeaksOptions options;
  const auto code = [&](const PointMatrix& given, int gpus) {
    return DensityPeaksOnGpus(given, options, gpus).status().code();
  };
  EXPECT_EQ(code(points, 0), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(points, num_gpus_ + 1), absl::StatusCode::kUnavailable);
  PointMatrix bad = points;
  bad.values[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code(bad, 1), absl::StatusCode::kInvalidArgument);
  bad.values.pop_back();
  EXPECT_EQ(code(bad, 1), absl::StatusCode::kInvalidArgument);
  options.halo = true;
  EXPECT_EQ(code(points, 1), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace warpclust
