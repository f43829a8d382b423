// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density peaks by the threads of several ranks, against one process.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_RANK_CASES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_RANK_CASES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/distributed/density_peaks_on_ranks.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "base/numbers/random.h"
#include "base/status/status_macros.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Points [begin, end).
inline PointMatrix Block(const PointMatrix& points, int64_t begin,
                         int64_t end) {
  PointMatrix block;
  block.num_points = static_cast<int32_t>(end - begin);
  block.num_dimensions = points.num_dimensions;
  block.values.assign(points.values.begin() + begin * points.num_dimensions,
                      points.values.begin() + end * points.num_dimensions);
  return block;
}

// Appends the points of a block to those before it.
inline void Append(const DensityPeaksResult& block, DensityPeaksResult* all) {
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
// Ranks take turns with the devices, and with the indexes; none: that of the
// options.
inline absl::StatusOr<DensityPeaksResult> OnRanks(
    const PointMatrix& points, const DensityPeaksOptions& options,
    const std::vector<int64_t>& begins, const std::vector<Device>& devices = {},
    RanksResult wanted = RanksResult::kAll,
    const std::vector<DensityPeaksIndex>& indexes = {}) {
  std::vector<DensityPeaksResult> results(begins.size());
  RETURN_IF_ERROR(
      RunOnThreads(static_cast<int>(begins.size()), [&](Communicator& ranks) {
        const size_t r = ranks.rank();
        const int64_t end =
            r + 1 < begins.size() ? begins[r + 1] : points.num_points;
        DensityPeaksOptions own = options;
        if (!devices.empty()) own.device = devices[r % devices.size()];
        if (!indexes.empty()) own.index = indexes[r % indexes.size()];
        absl::StatusOr<DensityPeaksResult> result = DensityPeaksOnRanks(
            Block(points, begins[r], end), own, ranks, wanted);
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
inline std::vector<int64_t> Begins(int num_ranks, int64_t num_points,
                                   Random* random) {
  std::vector<int64_t> begins = {0};
  for (int r = 1; r < num_ranks; ++r) {
    begins.push_back(random->Below(4) == 0 ? begins.back()
                                           : random->Below(num_points + 1));
  }
  std::sort(begins.begin(), begins.end());
  return begins;
}

// What all ranks found, against what one process found.
inline void ExpectSame(const absl::StatusOr<DensityPeaksResult>& result,
                       const absl::StatusOr<DensityPeaksResult>& alone) {
  ASSERT_EQ(result.status().code(), alone.status().code())
      << result.status() << "; alone: " << alone.status();
  if (!alone.ok()) return;
  EXPECT_EQ(result->graph, alone->graph);
  EXPECT_EQ(result->cutoff_quantile, alone->cutoff_quantile);
  EXPECT_EQ(result->cutoff_sampled, alone->cutoff_sampled);
  EXPECT_EQ(result->cutoff_replaced, alone->cutoff_replaced);
  EXPECT_EQ(result->clusters, alone->clusters);
  EXPECT_EQ(result->significance, alone->significance);
}

// Against one process on the CPU.
inline void ExpectAsAlone(const PointMatrix& points,
                          const DensityPeaksOptions& options,
                          const std::vector<int64_t>& begins,
                          const std::vector<Device>& devices = {},
                          const std::vector<DensityPeaksIndex>& indexes = {}) {
  DensityPeaksOptions cpu = options;
  cpu.device = Device::kCpu;
  const absl::StatusOr<DensityPeaksResult> alone = DensityPeaks(points, cpu);
  const absl::StatusOr<DensityPeaksResult> result =
      OnRanks(points, options, begins, devices, RanksResult::kAll, indexes);
  ExpectSame(result, alone);
}

inline PeakSelection RandomRule(Random* random) {
  using Rule = PeakSelection::Rule;
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

// A random case without the graph: the clusters are the same.
inline void ExpectClustersAsAlone(Device device, uint64_t seed) {
  Random random(seed, 2);
  const PointMatrix points = RandomPoints(seed);
  DensityPeaksOptions options;
  options.num_threads = 1 + static_cast<int>(random.Below(2));
  options.cutoff_quantile = 0.05;
  options.peaks = RandomRule(&random);
  const std::vector<int64_t> begins =
      Begins(1 + static_cast<int>(seed % 5), points.num_points, &random);
  options.device = Device::kCpu;
  const absl::StatusOr<DensityPeaksResult> alone =
      DensityPeaks(points, options);
  options.device = device;
  const absl::StatusOr<DensityPeaksResult> result =
      OnRanks(points, options, begins, {}, RanksResult::kClusters);
  ASSERT_EQ(result.status().code(), alone.status().code());
  if (!alone.ok()) return;
  EXPECT_EQ(result->clusters.peaks, alone->clusters.peaks);
  EXPECT_EQ(result->clusters.labels, alone->clusters.labels);
  EXPECT_EQ(result->clusters.noise, alone->clusters.noise);
  EXPECT_EQ(result->graph.num_points(), 0);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_TESTING_RANK_CASES_H_
