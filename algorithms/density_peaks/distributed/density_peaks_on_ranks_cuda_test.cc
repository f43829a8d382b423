// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density peaks on ranks that share a GPU against the CPU, bit for bit.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"
#include "algorithms/density_peaks/testing/cluster_on_cpu.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "algorithms/density_peaks/testing/rank_cases.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "base/testing/case_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/nccl/peer_exchange.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

class DensityPeaksOnRanksCudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!ResolveDevice(Device::kCuda).ok()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_F(DensityPeaksOnRanksCudaTest, RanksDoNotShow) {
  constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                                 Metric::kChebyshev, Metric::kAngular,
                                 Metric::kCosine};
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    if (!TakesCase()) continue;
    Random random(seed, 1);
    const PointMatrix points = RandomPoints(seed);
    DensityPeaksOptions options;
    options.device = Device::kCuda;
    options.num_threads = 1;
    options.metric = kMetrics[random.Below(5)];
    options.index = kIndexes[random.Below(4)];
    options.cutoff_quantile = random.Below(3) == 0 ? 0.3 : 0.05;
    options.peaks = RandomRule(&random);
    const int num_ranks = 1 + static_cast<int>(seed % 7);
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", " << points.num_points << " points, "
                 << points.num_dimensions << " dimensions, "
                 << MetricName(options.metric) << ", ranks " << num_ranks);
    ExpectAsAlone(points, options,
                  Begins(num_ranks, points.num_points, &random));
    if (HasFailure()) return;
  }
}

TEST_F(DensityPeaksOnRanksCudaTest, WrongCoordinatesAreNamed) {
  for (const int32_t d : {3, 24, 70}) {
    Random random(d);
    PointMatrix points = {3000, d, {}};
    for (int32_t i = 0; i < 3000 * d; ++i) {
      points.values.push_back(random.Normal());
    }
    points.values[2000 * d + 1] = std::nan("");
    DensityPeaksOptions options;
    const std::vector<int64_t> begins = {0, 1500};
    options.device = Device::kCpu;
    const absl::Status expected = OnRanks(points, options, begins).status();
    EXPECT_EQ(expected.code(), absl::StatusCode::kInvalidArgument);
    options.device = Device::kCuda;
    EXPECT_EQ(OnRanks(points, options, begins).status(), expected);
  }
}

TEST_F(DensityPeaksOnRanksCudaTest, ClustersWithoutTheGraph) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(seed);
    ExpectClustersAsAlone(Device::kCuda, seed);
    if (HasFailure()) return;
  }
}

// Clusters in few dimensions, whose ranks lie near each other, and in many,
// where all points visit all ranks.
TEST_F(DensityPeaksOnRanksCudaTest, ManyPoints) {
  using Rule = PeakSelection::Rule;
  for (const int32_t dimensions : {2, 3, 5, 24}) {
    Random random(dimensions);
    PointMatrix points;
    points.num_points = static_cast<int32_t>(20'000 / CaseShare());
    points.num_dimensions = dimensions;
    for (int32_t i = 0; i < points.num_points; ++i) {
      const double center = 10.0 * static_cast<double>(random.Below(5));
      points.values.push_back(center + random.Normal());
      for (int32_t k = 1; k < dimensions; ++k) {
        points.values.push_back(random.Normal());
      }
    }
    DensityPeaksOptions options;
    options.device = Device::kCuda;
    for (const Rule rule : {Rule::kLargestDrop, Rule::kSignificance}) {
      options.peaks = PeakSelection();
      options.peaks.rule = rule;
      for (const int num_ranks : {1, 2, 5}) {
        SCOPED_TRACE(testing::Message()
                     << dimensions << " dimensions, " << num_ranks << " ranks");
        ExpectAsAlone(points, options,
                      Begins(num_ranks, points.num_points, &random));
        if (HasFailure()) return;
      }
    }
  }
}

// If the GPU has too little memory, saddles are searched for on the host, or
// pairs are not shared; with less there is a message.
TEST_F(DensityPeaksOnRanksCudaTest, LittleMemory) {
  for (const int32_t dimensions : {3, 24, 70}) {
    const PointMatrix points = RandomBlobs(12'000, dimensions, 9, dimensions);
    DensityPeaksOptions options;
    options.device = Device::kCuda;
    const std::vector<int64_t> begins = {0, 5000};
    const auto job = [&] { return OnRanks(points, options, begins); };
    // What stays for the life of the process.
    ASSERT_TRUE(job().ok());
    const int64_t before = DeviceMemoryInUseBytes();
    ResetDeviceMemoryPeak();
    const absl::StatusOr<DensityPeaksResult> expected = job();
    ASSERT_TRUE(expected.ok()) << expected.status();
    const int64_t peak = DeviceMemoryPeakBytes() - before;
    const auto steps = std::max<int64_t>(16, 80 / CaseShare());
    int64_t done = 0, refused = 0;
    for (int64_t step = 0; step <= steps; ++step) {
      const int64_t limit = peak * (steps - step) / steps;
      SCOPED_TRACE(testing::Message() << dimensions << " dimensions, limit "
                                      << limit << " of " << peak);
      SetDeviceMemoryLimit(before + limit);
      const absl::StatusOr<DensityPeaksResult> result = job();
      SetDeviceMemoryLimit(-1);
      ASSERT_EQ(DeviceMemoryInUseBytes(), before);
      if (!result.ok()) {
        ASSERT_TRUE(absl::IsResourceExhausted(result.status()))
            << result.status();
        ++refused;
        continue;
      }
      ++done;
      ASSERT_EQ(result->clusters.labels, expected->clusters.labels);
      ASSERT_EQ(result->significance, expected->significance);
    }
    std::cout << dimensions << " dimensions: " << peak << " bytes, done with "
              << done << " limits, refused " << refused << "\n";
    EXPECT_GT(done, 0);
    EXPECT_GT(refused, 0);
  }
}

// Brute force in many dimensions, with many ties, and blocks that are longer
// than a tile: GPUs share the pairs, but blocks meet on GPUs beside CPUs, or if
// a rank cannot open the memory of other GPUs.
TEST_F(DensityPeaksOnRanksCudaTest, SharedPairsAndMeetings) {
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    if (!TakesCase()) continue;
    Random random(seed, 4);
    PointMatrix points;
    points.num_points = static_cast<int32_t>(1 + random.Below(2500));
    points.num_dimensions = 17 + static_cast<int32_t>(random.Below(60));
    const uint64_t kind = random.Below(3);
    for (int32_t i = 0; i < points.num_points; ++i) {
      const double center = 4.0 * static_cast<double>(random.Below(3));
      for (int32_t k = 0; k < points.num_dimensions; ++k) {
        const double normal = random.Normal();
        points.values.push_back(
            kind == 0 ? center + static_cast<double>(k < 3 && normal > 0)
            : kind == 1
                ? static_cast<double>(static_cast<float>(center + normal))
                : center + normal);
      }
    }
    DensityPeaksOptions options;
    options.num_threads = 1 + static_cast<int>(random.Below(2));
    constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kEuclidean,
                                   Metric::kManhattan, Metric::kAngular,
                                   Metric::kCosine};
    options.metric = kMetrics[random.Below(5)];
    options.index = DensityPeaksIndex::kBruteForce;
    options.cutoff_quantile = 0.1;
    options.peaks = RandomRule(&random);
    const int num_ranks = 2 + static_cast<int>(seed % 6);
    std::vector<Device> devices = {Device::kCuda};
    if (random.Below(3) == 0) devices.push_back(Device::kCpu);
    if (random.Below(4) == 0) RefuseToOpenForTest(1);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ExpectAsAlone(points, options,
                  Begins(num_ranks, points.num_points, &random), devices);
    RefuseToOpenForTest(0);
    if (HasFailure()) return;
  }
}

// What ranks send through the hosts: little if the GPUs share the pairs, and
// the points of blocks if they do not reach each other.
TEST_F(DensityPeaksOnRanksCudaTest, SharedPairsDoNotPassThroughHosts) {
  constexpr int32_t kPoints = 3000;
  for (const DensityPeaksIndex index :
       {DensityPeaksIndex::kAuto, DensityPeaksIndex::kBruteForce}) {
    for (const int32_t d : {24, 70}) {
      const PointMatrix points = RandomBlobs(kPoints, d, 5, d);
      DensityPeaksOptions options;
      options.device = Device::kCuda;
      options.index = index;
      for (const double cutoff : {2.0, 0.0}) {
        // While the index is not known, pairs for the cutoff distance do.
        if (cutoff == 0 && index != DensityPeaksIndex::kBruteForce) continue;
        options.cutoff_distance = cutoff;
        const auto bytes_sent = [&] {
          std::atomic<int64_t> sent = 0;
          const absl::Status status = RunOnThreads(2, [&](Communicator& ranks) {
            const int64_t begin = ranks.rank() * kPoints / 2;
            const absl::Status done =
                DensityPeaksOnRanks(Block(points, begin, begin + kPoints / 2),
                                    options, ranks)
                    .status();
            sent += ranks.bytes_sent();
            return done;
          });
          EXPECT_TRUE(status.ok()) << status;
          return sent.load();
        };
        const int64_t shared = bytes_sent();
        RefuseToOpenForTest(1);
        const int64_t met = bytes_sent();
        RefuseToOpenForTest(0);
        std::cout << d << " dimensions: " << shared << " bytes, or " << met
                  << "\n";
        EXPECT_LT(shared, 16384);
        // A block and half of the other one.
        EXPECT_GT(met, kPoints / 2 * d * int64_t{sizeof(double)});
      }
    }
  }
}

// Points that move and blocks that meet go through the hosts if a rank cannot
// open the memory of other GPUs.
TEST_F(DensityPeaksOnRanksCudaTest, ARankCannotOpen) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    if (!TakesCase()) continue;
    SCOPED_TRACE(seed);
    Random random(seed, 9);
    PointMatrix points = RandomBlobs(300, seed % 2 == 0 ? 3 : 20, 5, seed);
    if (seed % 5 == 0) {  // Many ties.
      for (double& value : points.values) value = std::floor(value / 30);
    }
    DensityPeaksOptions options;
    options.device = Device::kCuda;
    options.num_threads = 1;
    options.index = kIndexes[random.Below(4)];
    options.cutoff_quantile = 0.05;
    options.peaks = RandomRule(&random);
    const int num_ranks = 2 + static_cast<int>(seed % 4);
    RefuseToOpenForTest(seed % 3 == 0 ? ~uint64_t{0}
                                      : uint64_t{1} << random.Below(num_ranks));
    ExpectAsAlone(points, options,
                  Begins(num_ranks, points.num_points, &random));
    RefuseToOpenForTest(0);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace warpclust
