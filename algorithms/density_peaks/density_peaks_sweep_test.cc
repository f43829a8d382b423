// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <random>
#include <utility>
#include <vector>

#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/testing/cluster_on_cpu.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/machine/work_share.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Rule = PeakSelection::Rule;

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
    size_t at = 0;
    const absl::Status status = SweepDensityPeaks(
        points, options, quantiles, [&](const DensityPeaksResult& result) {
          DensityPeaksOptions single = options;
          single.cutoff_distance = 0;
          single.cutoff_quantile = quantiles[at++];
          single.index = DensityPeaksIndex::kBruteForce;
          const DensityPeaksResult expected = Cluster(points, single);
          EXPECT_TRUE(result.clusters == expected.clusters) << at;
          EXPECT_TRUE(result.significance == expected.significance) << at;
          return absl::OkStatus();
        });
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(at, quantiles.size());
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
    std::vector<DensityPeaksResult> results;
    const absl::Status status = SweepDensityPeaks(
        points, options, quantiles, [&](const DensityPeaksResult& result) {
          results.push_back(result);
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(results.size(), quantiles.size());
    for (size_t i = 0; i < quantiles.size(); ++i) {
      DensityPeaksOptions single = options;
      single.cutoff_distance = 0;
      single.cutoff_quantile = quantiles[i];
      const DensityPeaksResult expected = Cluster(points, single);
      EXPECT_EQ(results[i].graph, expected.graph);
      EXPECT_EQ(results[i].clusters, expected.clusters);
      EXPECT_EQ(results[i].significance, expected.significance);
    }
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
    size_t at = 0;
    const absl::Status status = SweepDensityPeaks(
        some, options, many, [&](const DensityPeaksResult& result) {
          DensityPeaksOptions single = options;
          single.cutoff_distance = 0;
          single.cutoff_quantile = many[at++];
          const DensityPeaksResult expected = Cluster(some, single);
          EXPECT_EQ(result.graph, expected.graph);
          EXPECT_EQ(result.clusters, expected.clusters);
          EXPECT_EQ(result.significance, expected.significance);
          return absl::OkStatus();
        });
    // All points may be equal, which a single run refuses too.
    DensityPeaksOptions single = options;
    single.cutoff_distance = 0;
    single.cutoff_quantile = many[0];
    EXPECT_EQ(status.code(), DensityPeaks(some, single).status().code());
    EXPECT_EQ(at, status.ok() ? many.size() : 0);
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
    size_t at = 0;
    const absl::Status status = SweepDensityPeaks(
        some, options, falling, [&](const DensityPeaksResult& result) {
          DensityPeaksOptions single = options;
          single.cutoff_distance = 0;
          single.cutoff_quantile = falling[at++];
          single.index = DensityPeaksIndex::kBruteForce;
          const DensityPeaksResult expected = Cluster(some, single);
          EXPECT_EQ(result.graph.densities, expected.graph.densities) << at;
          EXPECT_EQ(result.graph.dependent_points,
                    expected.graph.dependent_points)
              << at;
          EXPECT_TRUE(result.graph == expected.graph) << at;
          EXPECT_TRUE(result.clusters == expected.clusters) << at;
          EXPECT_TRUE(result.significance == expected.significance) << at;
          return absl::OkStatus();
        });
    EXPECT_TRUE(status.ok()) << status;
  }
  // Enough points for several parts of a tree.
  for (const int32_t d : {1, 2, 3, 4, 5, 8, 20}) {
    SCOPED_TRACE(testing::Message() << d << " dimensions");
    const PointMatrix some = RandomBlobs(2500, d, 6, d);
    for (const DensityPeaksIndex index : kIndexes) {
      options.index = index;
      size_t at = 0;
      const absl::Status status = SweepDensityPeaks(
          some, options, absl::MakeConstSpan(many).subspan(0, 6),
          [&](const DensityPeaksResult& result) {
            DensityPeaksOptions single = options;
            single.cutoff_distance = 0;
            single.cutoff_quantile = many[at++];
            single.index = DensityPeaksIndex::kBruteForce;
            const DensityPeaksResult expected = Cluster(some, single);
            EXPECT_EQ(result.graph, expected.graph);
            EXPECT_EQ(result.clusters, expected.clusters);
            EXPECT_EQ(result.significance, expected.significance);
            return absl::OkStatus();
          });
      EXPECT_TRUE(status.ok()) << status;
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
