// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/testing/cluster_on_cpu.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/machine/work_share.h"
#include "gtest/gtest.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

using Rule = PeakSelection::Rule;

// Sweeps with `options`, and compares each result with that of a run at its
// quantile, by `index`. Returns what the sweep returns.
absl::Status ExpectSingleRuns(const PointMatrix& points,
                              const DensityPeaksOptions& options,
                              absl::Span<const double> quantiles,
                              DensityPeaksIndex index) {
  size_t at = 0;
  absl::Status status = SweepDensityPeaks(
      points, options, quantiles, [&](const DensityPeaksResult& result) {
        SCOPED_TRACE(testing::Message() << "quantile " << quantiles[at]);
        DensityPeaksOptions single = options;
        single.cutoff_distance = 0;
        single.cutoff_quantile = quantiles[at++];
        single.index = index;
        const DensityPeaksResult expected = Cluster(points, single);
        EXPECT_EQ(result.graph.densities, expected.graph.densities);
        EXPECT_EQ(result.graph.dependent_points,
                  expected.graph.dependent_points);
        EXPECT_TRUE(result.graph == expected.graph);
        EXPECT_TRUE(result.clusters == expected.clusters);
        EXPECT_TRUE(result.significance == expected.significance);
        return absl::OkStatus();
      });
  EXPECT_EQ(at, status.ok() ? quantiles.size() : 0);
  return status;
}

// Distances of a lattice are often the cutoff distance itself: then a point may
// be a candidate although its dependent point is within the radius by its key.
TEST(SweepDensityPeaksTest, DependentPointsAtTheCutoffDistance) {
  constexpr int kPoints = 250;
  std::vector<double> quantiles;
  for (int k = 1; k <= 12; ++k) quantiles.push_back(0.005 * k);
  DensityPeaksOptions options = OnCpu();
  options.peaks.rule = Rule::kSignificance;
  for (uint64_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    PointMatrix points;
    points.num_points = kPoints;
    points.num_dimensions = 2;
    for (int i = 0; i < 2 * kPoints; ++i) {
      points.values.push_back(static_cast<double>(random() % 30));
    }
    EXPECT_EQ(ExpectSingleRuns(points, options, quantiles,
                               DensityPeaksIndex::kBruteForce),
              absl::OkStatus());
  }
}

TEST(SweepDensityPeaksTest, IsARunForEachQuantile) {
  const PointMatrix points = RandomBlobs(900, 2, 5, 3);
  const std::vector<double> quantiles = {0.2, 0.001, 0.02};
  DensityPeaksOptions options = OnCpu();
  options.cutoff_distance = 7;  // Not used.
  options.halo = true;
  options.peaks.rule = Rule::kSignificance;
  for (const DensityPeaksIndex index : kIndexes) {
    options.index = index;
    EXPECT_EQ(ExpectSingleRuns(points, options, quantiles, index),
              absl::OkStatus());
  }
  // More values than are counted together, on points with ties.
  options.index = DensityPeaksIndex::kAuto;
  std::vector<double> many;
  for (int k = 1; k <= 20; ++k) many.push_back(0.002 * k);
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const PointMatrix some = RandomPoints(seed / 2);
    // With four threads each value has one of them.
    options.num_threads = seed % 2 == 0 ? 1 : 4;
    const absl::Status status =
        ExpectSingleRuns(some, options, many, DensityPeaksIndex::kAuto);
    // All points may be equal, which a single run refuses too.
    DensityPeaksOptions single = options;
    single.cutoff_distance = 0;
    single.cutoff_quantile = many[0];
    EXPECT_EQ(status.code(), DensityPeaks(some, single).status().code());
  }
  // Radii that rise and fall, on points that lie on a lattice or do not.
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    PointMatrix some;
    some.num_points = 3000;
    some.num_dimensions = 3;
    for (int i = 0; i < 3000; ++i) {
      const double center = static_cast<double>(random() % 4) * 4 + 1;
      for (int k = 0; k < 3; ++k) {
        some.values.push_back(seed % 2 != 0
                                  ? static_cast<double>(random() % 6) + 1
                                  : center + normal(random));
      }
    }
    options.num_threads = seed % 3 == 0 ? 4 : 1;
    const std::vector<double> falling = {0.002, 0.01, 0.05, 0.02};
    EXPECT_EQ(ExpectSingleRuns(some, options, falling,
                               DensityPeaksIndex::kBruteForce),
              absl::OkStatus());
  }
  // Enough points for several parts of a tree.
  for (const int32_t d : {1, 2, 3, 4, 5, 8, 20}) {
    SCOPED_TRACE(testing::Message() << d << " dimensions");
    const PointMatrix some = RandomBlobs(2500, d, 6, d);
    for (const DensityPeaksIndex index : kIndexes) {
      options.index = index;
      EXPECT_EQ(ExpectSingleRuns(some, options,
                                 absl::MakeConstSpan(many).subspan(0, 6),
                                 DensityPeaksIndex::kBruteForce),
                absl::OkStatus());
    }
  }
  options.index = DensityPeaksIndex::kAuto;
  const auto visit = [](const DensityPeaksResult&) {
    return absl::CancelledError("enough");
  };
  for (const int num_threads : {1, 16}) {
    options.num_threads = num_threads;
    EXPECT_EQ(SweepDensityPeaks(points, options, quantiles, visit).code(),
              absl::StatusCode::kCancelled);
  }
  EXPECT_EQ(SweepDensityPeaks(points, options, {0.1, 0.0}, visit).code(),
            absl::StatusCode::kInvalidArgument);
}

// With 16 threads, four values of so large a set are found at a time.
TEST(SweepDensityPeaksTest, IsTheSameWithManyThreads) {
  const PointMatrix points = RandomBlobs(350, 1600, 4, 3);
  const std::vector<double> quantiles = {0.3,  0.001, 0.002, 0.01, 0.05,
                                         0.04, 0.03,  0.02,  0.1};
  DensityPeaksOptions options = OnCpu();
  options.peaks.rule = Rule::kSignificance;
  options.halo = true;
  std::vector<DensityPeaksResult> expected;
  for (const double quantile : quantiles) {
    options.cutoff_quantile = quantile;
    expected.push_back(Cluster(points, options));
  }
  for (const DensityPeaksIndex index : kIndexes) {
    for (const int num_threads : {1, 9, 16}) {
      SCOPED_TRACE(testing::Message() << num_threads << " threads");
      options.index = index;
      options.num_threads = num_threads;
      size_t at = 0;
      const absl::Status status = SweepDensityPeaks(
          points, options, quantiles, [&](const DensityPeaksResult& result) {
            EXPECT_EQ(result.graph, expected[at].graph) << at;
            EXPECT_EQ(result.clusters, expected[at].clusters) << at;
            EXPECT_EQ(result.significance, expected[at].significance) << at;
            ++at;
            return absl::OkStatus();
          });
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_EQ(at, quantiles.size());
    }
  }
}

// Trees find up to 16 values at the same time in few dimensions, and four in
// many.
TEST(SweepDensityPeaksTest, EndsIfItIsAskedTo) {
  std::vector<double> quantiles;
  for (int k = 1; k <= 40; ++k) quantiles.push_back(0.002 * k);
  for (const int32_t d : {2, 1600}) {
    const PointMatrix points = RandomBlobs(350, d, 4, 3);
    DensityPeaksOptions options = OnCpu();
    options.peaks.rule = Rule::kSignificance;
    options.halo = true;
    options.cutoff_quantile = quantiles[0];
    const DensityPeaksResult first = Cluster(points, options);
    for (const DensityPeaksIndex index : kIndexes) {
      for (const int num_threads : {1, 4, 16}) {
        SCOPED_TRACE(testing::Message()
                     << d << " dimensions, " << num_threads << " threads");
        WorkShare work;
        options.index = index;
        options.num_threads = num_threads;
        options.work = &work;
        size_t visits = 0;
        const auto stop = [&](const DensityPeaksResult& result) {
          if (visits++ == 0) {
            EXPECT_EQ(result.graph, first.graph);
            EXPECT_EQ(result.clusters, first.clusters);
          }
          work.RequestStop();
          return absl::OkStatus();
        };
        EXPECT_EQ(SweepDensityPeaks(points, options, quantiles, stop).code(),
                  absl::StatusCode::kCancelled);
        EXPECT_GT(visits, 0);
        // A later batch of 16 values is not begun.
        EXPECT_LE(visits, 16);
        // An error of `visit` while other values are found.
        options.work = nullptr;
        visits = 0;
        const auto fail = [&](const DensityPeaksResult&) {
          return ++visits < 3 ? absl::OkStatus() : absl::AbortedError("enough");
        };
        EXPECT_EQ(SweepDensityPeaks(points, options, quantiles, fail),
                  absl::AbortedError("enough"));
        EXPECT_EQ(visits, 3);
      }
    }
  }
}

}  // namespace
}  // namespace warpclust
