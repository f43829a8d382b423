// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density peaks by the threads of several ranks, against one process.

#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"
#include "kernels/device.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Rule = PeakSelection::Rule;

// Points [begin, end).
PointMatrix Block(const PointMatrix& points, int64_t begin, int64_t end) {
  PointMatrix block;
  block.num_points = static_cast<int32_t>(end - begin);
  block.num_dimensions = points.num_dimensions;
  block.values.assign(points.values.begin() + begin * points.num_dimensions,
                      points.values.begin() + end * points.num_dimensions);
  return block;
}

// Appends the points of a block to those before it.
void Append(const DensityPeaksResult& block, DensityPeaksResult* all) {
  const auto append = [](const auto& from, auto* to) {
    to->insert(to->end(), from.begin(), from.end());
  };
  append(block.graph.densities, &all->graph.densities);
  append(block.graph.dependent_points, &all->graph.dependent_points);
  append(block.graph.dependent_distances, &all->graph.dependent_distances);
  append(block.clusters.labels, &all->clusters.labels);
  append(block.clusters.noise, &all->clusters.noise);
}

// The blocks of the ranks begin at `begins`, the last ends with the points.
absl::StatusOr<DensityPeaksResult> OnRanks(const PointMatrix& points,
                                           const DensityPeaksOptions& options,
                                           const std::vector<int64_t>& begins) {
  std::vector<DensityPeaksResult> results(begins.size());
  RETURN_IF_ERROR(
      RunOnThreads(static_cast<int>(begins.size()), [&](Communicator& ranks) {
        const size_t r = ranks.rank();
        const int64_t end =
            r + 1 < begins.size() ? begins[r + 1] : points.num_points;
        absl::StatusOr<DensityPeaksResult> result =
            DensityPeaksOnRanks(Block(points, begins[r], end), options, ranks);
        if (result.ok()) results[r] = *std::move(result);
        return result.status();
      }));
  DensityPeaksResult all = results[0];
  for (size_t r = 1; r < results.size(); ++r) {
    EXPECT_EQ(results[r].clusters.peaks, all.clusters.peaks);
    EXPECT_EQ(results[r].graph.cutoff_distance, all.graph.cutoff_distance);
    EXPECT_EQ(results[r].significance, all.significance);
    Append(results[r], &all);
  }
  return all;
}

// Blocks of many lengths, some empty.
std::vector<int64_t> Begins(int num_ranks, int64_t num_points, Random* random) {
  std::vector<int64_t> begins = {0};
  for (int r = 1; r < num_ranks; ++r) {
    begins.push_back(random->Below(4) == 0 ? begins.back()
                                           : random->Below(num_points + 1));
  }
  std::sort(begins.begin(), begins.end());
  return begins;
}

void ExpectAsAlone(const PointMatrix& points,
                   const DensityPeaksOptions& options,
                   const std::vector<int64_t>& begins) {
  const absl::StatusOr<DensityPeaksResult> alone =
      DensityPeaks(points, options);
  const absl::StatusOr<DensityPeaksResult> result =
      OnRanks(points, options, begins);
  ASSERT_EQ(result.status().code(), alone.status().code())
      << result.status() << "; alone: " << alone.status();
  if (!alone.ok()) return;
  EXPECT_EQ(result->graph.cutoff_distance, alone->graph.cutoff_distance);
  EXPECT_EQ(result->cutoff_sampled, alone->cutoff_sampled);
  EXPECT_EQ(result->cutoff_replaced, alone->cutoff_replaced);
  EXPECT_EQ(result->graph.densities, alone->graph.densities);
  EXPECT_EQ(result->graph.dependent_points, alone->graph.dependent_points);
  EXPECT_EQ(result->graph.dependent_distances,
            alone->graph.dependent_distances);
  EXPECT_EQ(result->clusters.peaks, alone->clusters.peaks);
  EXPECT_EQ(result->clusters.labels, alone->clusters.labels);
  EXPECT_EQ(result->clusters.noise, alone->clusters.noise);
  EXPECT_EQ(result->significance, alone->significance);
}

PeakSelection RandomRule(Random* random) {
  PeakSelection rule;
  rule.density_min = static_cast<int32_t>(random->Below(3));
  switch (random->Below(6)) {
    case 0:
      rule.rule = Rule::kLargestDrop;
      break;
    case 1:
      rule.rule = Rule::kCount;
      rule.count = 1 + static_cast<int32_t>(random->Below(8));
      break;
    case 2:
      rule.rule = Rule::kThresholds;
      rule.delta_min = random->Unit();
      break;
    case 3:
      rule.rule = Rule::kGamma;
      rule.gamma_min = 10 * random->Unit();
      break;
    default:
      rule.rule = Rule::kSignificance;
      break;
  }
  return rule;
}

TEST(DensityPeaksOnRanksTest, RanksDoNotShow) {
  constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                                 Metric::kChebyshev, Metric::kAngular,
                                 Metric::kCosine};
  constexpr DensityPeaksIndex kIndexes[] = {
      DensityPeaksIndex::kAuto, DensityPeaksIndex::kBoxTree,
      DensityPeaksIndex::kVpTree, DensityPeaksIndex::kBruteForce};
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
  DensityPeaksOptions cuda = options;
  cuda.device = Device::kCuda;
  EXPECT_EQ(code(points, cuda), absl::StatusCode::kUnimplemented);
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
