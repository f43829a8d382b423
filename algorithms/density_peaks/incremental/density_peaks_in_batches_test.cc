// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/incremental/density_peaks_in_batches.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

PointMatrix RandomPoints(int32_t n, uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = 2;
  for (int32_t i = 0; i < 2 * n; ++i) points.values.push_back(random.Unit());
  return points;
}

TEST(DensityPeaksInBatchesTest, ClustersThePointsThatAreLeft) {
  const PointMatrix base = RandomPoints(100, 1);
  DensityPeaksBatches batches;
  batches.inserted = RandomPoints(50, 2);
  batches.removed = {3, 120, 149, 0};
  batches.batch_size = 3;
  int64_t num_points = 0;
  batches.done = [&num_points](int64_t count) { num_points = count; };
  DensityPeaksOptions options;
  options.cutoff_distance = 0.1;
  options.peaks = PeakSelection();
  options.halo = true;
  const absl::StatusOr<BatchedDensityPeaks> batched =
      DensityPeaksInBatches(base, batches, options);
  ASSERT_TRUE(batched.ok()) << batched.status();
  EXPECT_EQ(num_points, 146);
  EXPECT_EQ(batched->incidental_batches + batched->separate_batches, 17 + 2);
  ASSERT_EQ(batched->ids.size(), 146u);
  EXPECT_EQ(batched->ids.front(), 1);
  EXPECT_EQ(batched->ids.back(), 148);

  PointMatrix left;
  left.num_points = 146;
  left.num_dimensions = 2;
  for (int32_t id = 0; id < 150; ++id) {
    if (id == 3 || id == 120 || id == 149 || id == 0) continue;
    const double* row =
        id < 100 ? base.Row(id) : batches.inserted.Row(id - 100);
    left.values.insert(left.values.end(), row, row + 2);
  }
  EXPECT_EQ(batched->points.values, left.values);
  const absl::StatusOr<DensityPeaksResult> whole = DensityPeaks(left, options);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ(batched->result.graph.densities, whole->graph.densities);
  EXPECT_EQ(batched->result.clusters.labels, whole->clusters.labels);
  EXPECT_EQ(batched->result.clusters.halo, whole->clusters.halo);
}

TEST(DensityPeaksInBatchesTest, Errors) {
  const PointMatrix base = RandomPoints(3, 1);
  DensityPeaksBatches batches;
  DensityPeaksOptions options;
  options.cutoff_distance = 1;
  // By default peaks are those that are significant.
  EXPECT_TRUE(absl::StrContains(
      DensityPeaksInBatches(base, batches, options).status().message(),
      "PeakSelection::rule: "));
  options.peaks = PeakSelection();
  options.index = DensityPeaksIndex::kBruteForce;
  EXPECT_EQ(DensityPeaksInBatches(base, batches, options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options.index = DensityPeaksIndex::kAuto;
  batches.removed = {2, 0, 1};
  EXPECT_TRUE(absl::StrContains(
      DensityPeaksInBatches(base, batches, options).status().message(),
      "expected to leave a point"));
  options.metric = Metric::kAngular;
  batches.inserted = {
      .num_points = 2, .num_dimensions = 2, .values = {1, 2, 0, 0}};
  EXPECT_TRUE(absl::StartsWith(
      DensityPeaksInBatches(base, batches, options).status().message(),
      "inserted point 1: "));
}

}  // namespace
}  // namespace warpclust
