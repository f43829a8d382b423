// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density peaks by the threads of several ranks, against one process.

#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/testing/cluster_on_cpu.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "algorithms/density_peaks/testing/rank_cases.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Rule = PeakSelection::Rule;

TEST(DensityPeaksOnRanksTest, RanksDoNotShow) {
  constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                                 Metric::kChebyshev, Metric::kAngular,
                                 Metric::kCosine};
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed, 1);
    const PointMatrix points = RandomPoints(seed);
    DensityPeaksOptions options;
    options.device = Device::kCpu;
    options.num_threads = 1 + static_cast<int>(random.Below(2));
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

// Some ranks find joining pairs and others do not, so all go in rounds.
TEST(DensityPeaksOnRanksTest, RanksWithDifferentIndexes) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed, 5);
    DensityPeaksOptions options;
    options.device = Device::kCpu;
    options.num_threads = 1 + static_cast<int>(random.Below(2));
    options.peaks = PeakSelection();
    options.peaks.rule = Rule::kSignificance;
    const PointMatrix points = RandomPoints(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ExpectAsAlone(points, options,
                  Begins(2 + seed % 4, points.num_points, &random),
                  /*devices=*/{},
                  {DensityPeaksIndex::kBruteForce, DensityPeaksIndex::kBoxTree,
                   DensityPeaksIndex::kVpTree});
    if (HasFailure()) return;
  }
}

TEST(DensityPeaksOnRanksTest, ClustersWithoutTheGraph) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    ExpectClustersAsAlone(Device::kCpu, seed);
    if (HasFailure()) return;
  }
}

// Enough points that the pairs for the cutoff distance are a sample.
TEST(DensityPeaksOnRanksTest, ManyPoints) {
  Random random(5);
  PointMatrix points;
  points.num_points = 6000;
  points.num_dimensions = 2;
  for (int32_t i = 0; i < points.num_points; ++i) {
    const double center = 10.0 * static_cast<double>(random.Below(5));
    points.values.push_back(center + random.Normal());
    points.values.push_back(random.Normal());
  }
  DensityPeaksOptions options;
  options.device = Device::kCpu;
  options.num_threads = 1;
  options.peaks = PeakSelection();
  for (const Rule rule : {Rule::kLargestDrop, Rule::kSignificance}) {
    options.peaks.rule = rule;
    for (const int num_ranks : {2, 5, 16}) {
      SCOPED_TRACE(num_ranks);
      ExpectAsAlone(points, options,
                    Begins(num_ranks, points.num_points, &random));
    }
  }
}

// Blocks of brute force meet each other: many dimensions, with many ties, and
// blocks that are longer than a tile.
TEST(DensityPeaksOnRanksTest, BlocksMeetOnce) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed, 4);
    PointMatrix points;
    points.num_points = static_cast<int32_t>(1 + random.Below(900));
    points.num_dimensions = 17 + static_cast<int32_t>(random.Below(60));
    const bool lattice = random.Below(2) == 0;
    for (int32_t i = 0; i < points.num_points; ++i) {
      const double center = 4.0 * static_cast<double>(random.Below(3));
      for (int32_t k = 0; k < points.num_dimensions; ++k) {
        points.values.push_back(
            center + (lattice ? static_cast<double>(k < 3 && random.Below(2))
                              : random.Normal()));
      }
    }
    DensityPeaksOptions options;
    options.device = Device::kCpu;
    options.num_threads = 1 + static_cast<int>(random.Below(2));
    options.metric =
        random.Below(3) == 0 ? Metric::kManhattan : Metric::kEuclidean;
    options.index = DensityPeaksIndex::kBruteForce;
    options.cutoff_quantile = 0.1;
    options.peaks = RandomRule(&random);
    const int num_ranks = 2 + static_cast<int>(seed % 6);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ExpectAsAlone(points, options,
                  Begins(num_ranks, points.num_points, &random));
    if (HasFailure()) return;
  }
}

TEST(DensityPeaksOnRanksTest, EqualPointsAreDividedByNumber) {
  PointMatrix points;
  points.num_points = 700;
  points.num_dimensions = 2;
  points.values.assign(1400, 3.5);
  for (int i = 0; i < 100; ++i) points.values[i] = i;
  DensityPeaksOptions options;
  options.device = Device::kCpu;
  options.cutoff_distance = 1.5;
  options.peaks = PeakSelection();
  ExpectAsAlone(points, options, {0, 0, 1, 690});
}

TEST(DensityPeaksOnRanksTest, AllRanksGetTheError) {
  DensityPeaksOptions options;
  options.device = Device::kCpu;
  options.peaks = PeakSelection();
  const PointMatrix points = RandomPoints(3);
  const auto code = [&](const PointMatrix& all,
                        const DensityPeaksOptions& used) {
    return OnRanks(all, used, {0, all.num_points / 2, all.num_points})
        .status()
        .code();
  };
  EXPECT_EQ(code(points, options), absl::StatusCode::kOk);
  PointMatrix bad = points;
  bad.values.back() = 1e300;
  EXPECT_EQ(code(bad, options), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Block(points, 0, 0), options),
            absl::StatusCode::kInvalidArgument);
  DensityPeaksOptions halo = options;
  halo.halo = true;
  EXPECT_EQ(code(points, halo), absl::StatusCode::kUnimplemented);
  const absl::Status status = RunOnThreads(3, [&](Communicator& ranks) {
    PointMatrix block = RandomPoints(4);
    if (ranks.rank() == 2) {
      block.num_points = 1;
      block.values.assign(++block.num_dimensions, 1.0);
    }
    return DensityPeaksOnRanks(std::move(block), options, ranks).status();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
}

}  // namespace
}  // namespace warpclust
