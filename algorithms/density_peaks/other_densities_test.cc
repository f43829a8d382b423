// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityPeaks with densities beside the count, against loops over all pairs.
// The densities themselves are tested in density/point_density_test.cc.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/neighbor_sweep.h"
#include "algorithms/density_peaks/peaks/clusters.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/nearest_neighbors.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr PointDensity kDensities[] = {
    PointDensity::kNeighbors, PointDensity::kGaussian, PointDensity::kAdaptive};

NearestNeighbors Neighbors(const PointMatrix& points,
                           const DensityPeaksOptions& options) {
  if (!UsesNeighbors(options.density)) return {};
  return *FindNearestNeighbors(
      points, options.neighbors,
      {.metric = options.metric, .device = Device::kCpu});
}

absl::StatusOr<PointDensities> Densities(const PointMatrix& points,
                                         const NearestNeighbors& neighbors,
                                         const DensityPeaksOptions& options) {
  if (UsesNeighbors(options.density)) {
    return NeighborDensities(points, neighbors, neighbors.k, options.density,
                             1);
  }
  const NaiveIndex index(points, NormOfMetric(options.metric));
  return GaussianDensities(index, options.metric, options.cutoff_distance);
}

// The clusters by the definitions; sigmas by peak.
struct Expected {
  std::vector<int32_t> peak_of;
  std::map<int32_t, double> sigmas;
  int32_t num_candidates = 0;
  std::vector<int32_t> dependents;
};

Expected Naive(const PointMatrix& points,
               const NearestNeighbors& neighbor_lists,
               const PointDensities& densities,
               const DensityPeaksOptions& options) {
  const int32_t n = points.num_points;
  const Norm norm = NormOfMetric(options.metric);
  const bool by_radius = densities.neighbor_counts.empty();
  const int32_t k = neighbor_lists.k;
  std::vector<std::vector<bool>> is_own(n, std::vector<bool>(n));
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < n; ++j) {
      if (by_radius && i != j) {
        is_own[i][j] =
            DistanceOfKey(options.metric, NaiveKey(points, norm, i, j)) <
            options.cutoff_distance;
      }
    }
    for (int32_t l = 0; !by_radius && l < densities.neighbor_counts[i]; ++l) {
      is_own[i][neighbor_lists.ids[int64_t{i} * k + l]] = true;
    }
  }
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return densities.logs[a] != densities.logs[b]
               ? densities.logs[a] > densities.logs[b]
               : a < b;
  });
  std::vector<int32_t> candidates, basins(n), tops, neighbors;
  std::vector<int32_t> passes;
  Expected expected;
  expected.dependents.resize(n);
  for (int32_t rank = 0; rank < n; ++rank) {
    const int32_t i = order[rank];
    int32_t dependent = -1;
    double nearest = std::numeric_limits<double>::infinity();
    bool is_candidate = true;
    for (int32_t r = 0; r < rank; ++r) {
      const int32_t j = order[r];
      const double key = NaiveKey(points, norm, i, j);
      if (key < nearest || (key == nearest && j < dependent)) {
        nearest = key;
        dependent = j;
      }
      if (is_own[i][j]) is_candidate = false;
    }
    expected.dependents[i] = dependent;
    if (is_candidate) {
      basins[i] = static_cast<int32_t>(candidates.size());
      tops.push_back(basins[i]);
      candidates.push_back(i);
      passes.push_back(-1);
      neighbors.push_back(dependent < 0 ? -1 : basins[dependent]);
    } else {
      basins[i] = basins[dependent];
    }
    for (int32_t r = 0; r < rank; ++r) {
      const int32_t j = order[r];
      int32_t ends = basins[i];
      int32_t neighbor = basins[j];
      if (!is_own[i][j] && !is_own[j][i]) continue;
      if (tops[ends] == tops[neighbor]) continue;
      if (tops[ends] < tops[neighbor]) std::swap(ends, neighbor);
      const int32_t ended = tops[ends];
      passes[ended] = i;
      neighbors[ended] = neighbor;
      std::replace(tops.begin(), tops.end(), ended, tops[neighbor]);
    }
  }
  const auto count = static_cast<int32_t>(candidates.size());
  const double least = LeastSigma(count, points.num_dimensions);
  expected.num_candidates = count;
  std::vector<bool> is_peak(count);
  double size = k;
  if (by_radius) {
    size = 0;
    for (const double log : densities.logs) size += std::exp(log);
    size = std::floor(size) / n;
  }
  std::vector<double> sigmas;
  for (int32_t c = 0; c < count; ++c) {
    const double error = densities.errors[candidates[c]];
    double sigma = std::sqrt(2.0) / error;
    if (passes[c] >= 0) {
      const double other = densities.errors[passes[c]];
      const double a = densities.logs[candidates[c]];
      const double b = densities.logs[passes[c]];
      sigma = a == b ? 0
                     : std::min(1e6, (a - b) / std::sqrt(error * error +
                                                         other * other));
    }
    sigmas.push_back(sigma);
    is_peak[c] = c == 0 || sigma > least;
  }
  const auto peak_of = [&](int32_t point) {
    int32_t c = basins[point];
    while (!is_peak[c]) c = neighbors[c];
    return c;
  };
  for (int32_t c = count - 1; c > 0; --c) {
    int32_t members = 0;
    for (int32_t i = 0; i < n; ++i) members += peak_of(i) == c;
    if (members < (passes[c] >= 0 ? 1 : 2) * size) is_peak[c] = false;
  }
  for (int32_t i = 0; i < n; ++i) {
    const int32_t c = peak_of(i);
    expected.peak_of.push_back(candidates[c]);
    expected.sigmas[candidates[c]] = sigmas[c];
  }
  return expected;
}

TEST(OtherDensitiesTest, EqualTheDefinition) {
  int64_t clusters = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const PointMatrix points =
        seed % 2 == 0
            ? RandomBlobs(300, 1 + static_cast<int32_t>(seed / 2 % 3), 4, seed)
            : RandomPoints(seed);
    if (points.num_points < 2) continue;
    DensityPeaksOptions options;
    options.device = Device::kCpu;
    options.metric = seed % 3 == 0 ? Metric::kManhattan : Metric::kEuclidean;
    options.cutoff_distance =
        seed % 2 == 0 ? 3 : RandomCutoff(points, options.metric, seed);
    options.neighbors = 2 + static_cast<int32_t>(seed % 30);
    for (const PointDensity density : kDensities) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", density "
                                      << static_cast<int>(density));
      options.density = density;
      options.num_threads = 1 + static_cast<int>(seed % 3);
      const NearestNeighbors neighbors = Neighbors(points, options);
      const absl::StatusOr<PointDensities> densities =
          Densities(points, neighbors, options);
      ASSERT_TRUE(densities.ok()) << densities.status();
      const Expected expected = Naive(points, neighbors, *densities, options);
      const absl::StatusOr<DensityPeaksResult> found =
          DensityPeaks(points, options);
      ASSERT_TRUE(found.ok()) << found.status();
      std::vector<int32_t> peak_of;
      for (const int32_t label : found->clusters.labels) {
        peak_of.push_back(found->clusters.peaks[label]);
      }
      ASSERT_EQ(found->graph.dependent_points, expected.dependents);
      ASSERT_EQ(peak_of, expected.peak_of);
      ASSERT_EQ(found->significance.num_candidates, expected.num_candidates);
      for (int32_t c = 0; c < found->clusters.num_clusters(); ++c) {
        const double sigma = expected.sigmas.at(found->clusters.peaks[c]);
        EXPECT_NEAR(found->significance.sigmas[c], sigma, 1e-9 * sigma);
      }
      clusters += found->clusters.num_clusters();
    }
  }
  EXPECT_GT(clusters, 1000);
}

TEST(OtherDensitiesTest, IndexesAndThreadsDoNotShow) {
  const PointMatrix points = RandomBlobs(6000, 3, 8, 5);
  for (const PointDensity density : kDensities) {
    DensityPeaksOptions options;
    options.device = Device::kCpu;
    options.density = density;
    options.num_threads = 1;
    const absl::StatusOr<DensityPeaksResult> first =
        DensityPeaks(points, options);
    ASSERT_TRUE(first.ok()) << first.status();
    EXPECT_GT(first->clusters.num_clusters(), 3);
    for (const DensityPeaksIndex index :
         {DensityPeaksIndex::kBoxTree, DensityPeaksIndex::kVpTree,
          DensityPeaksIndex::kBruteForce}) {
      options.index = index;
      options.num_threads = 3;
      const absl::StatusOr<DensityPeaksResult> other =
          DensityPeaks(points, options);
      ASSERT_TRUE(other.ok()) << other.status();
      EXPECT_EQ(other->graph, first->graph);
      EXPECT_EQ(other->clusters, first->clusters);
      EXPECT_EQ(other->significance, first->significance);
      EXPECT_EQ(other->index, index == DensityPeaksIndex::kBoxTree ? "box tree"
                              : index == DensityPeaksIndex::kVpTree
                                  ? "vp tree"
                                  : "brute force");
    }
  }
}

TEST(OtherDensitiesTest, Refusals) {
  const PointMatrix points = RandomBlobs(50, 2, 2, 1);
  const auto code = [&](const DensityPeaksOptions& options) {
    return DensityPeaks(points, options).status().code();
  };
  constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
  DensityPeaksOptions good;
  good.device = Device::kCpu;
  good.density = PointDensity::kNeighbors;
  EXPECT_EQ(code(good), absl::StatusCode::kOk);
  DensityPeaksOptions bad = good;
  bad.halo = true;
  EXPECT_EQ(code(bad), kInvalid);
  bad = good;
  bad.peaks = PeakSelection();
  EXPECT_EQ(code(bad), kInvalid);
  bad = good;
  bad.peaks.density_min = 2;
  EXPECT_EQ(code(bad), kInvalid);
  bad = good;
  bad.neighbors = -1;
  EXPECT_EQ(code(bad), kInvalid);
  const auto visit = [](const DensityPeaksResult&) { return absl::OkStatus(); };
  EXPECT_EQ(SweepDensityPeaks(points, good, {0.1}, visit).code(), kInvalid);
  EXPECT_EQ(ComputeDecisionGraph(points, good).status().code(), kInvalid);
  EXPECT_EQ(SweepNeighbors(points, good, {5, 0}, visit).code(), kInvalid);
  bad = good;
  bad.density = PointDensity::kGaussian;
  EXPECT_EQ(SweepNeighbors(points, bad, {5}, visit).code(), kInvalid);
  bad.density = PointDensity::kCount;
  EXPECT_EQ(SweepNeighbors(points, bad, {5}, visit).code(), kInvalid);
  EXPECT_EQ(SweepNeighbors(PointMatrix(), good, {5}, visit).code(), kInvalid);
  int seen = 0;
  const absl::Status ended =
      SweepNeighbors(points, good, {5, 6}, [&](const DensityPeaksResult&) {
        ++seen;
        return absl::DataLossError("enough");
      });
  EXPECT_EQ(ended.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(seen, 1);
}

// One cluster around point 0, without a distance to choose d_c from.
TEST(OtherDensitiesTest, EqualPointsAndOnePoint) {
  for (const int32_t n : {1, 2, 3, 40}) {
    PointMatrix points;
    points.num_points = n;
    points.num_dimensions = 2;
    points.values.assign(2 * n, 3);
    for (const PointDensity density : kDensities) {
      SCOPED_TRACE(testing::Message()
                   << n << " points, density " << static_cast<int>(density));
      DensityPeaksOptions options;
      options.device = Device::kCpu;
      options.density = density;
      if (!UsesNeighbors(density)) options.cutoff_distance = 1;
      const absl::StatusOr<DensityPeaksResult> found =
          DensityPeaks(points, options);
      ASSERT_TRUE(found.ok()) << found.status();
      EXPECT_EQ(found->clusters.labels, std::vector<int32_t>(n, 0));
      EXPECT_EQ(found->clusters.peaks, std::vector<int32_t>{0});
      EXPECT_EQ(found->significance.num_candidates, 1);
      std::vector<int32_t> dependents(n, 0);
      dependents[0] = -1;
      EXPECT_EQ(found->graph.dependent_points, dependents);
      EXPECT_EQ(found->graph.dependent_distances, std::vector<double>(n, 0));
      EXPECT_EQ(found->neighbors, UsesNeighbors(density) ? 4 : 0);
    }
  }
}

TEST(OtherDensitiesTest, SweepEqualsRuns) {
  // Ascending, descending and beyond the number of points.
  const std::vector<int32_t> numbers = {1, 2, 3, 5, 8, 13, 40, 400, 20, 4};
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const PointMatrix points = seed % 2 == 0
                                   ? RandomBlobs(300, 1 + seed % 5, 4, seed)
                                   : RandomPoints(seed);
    DensityPeaksOptions options;
    options.device = Device::kCpu;
    options.density = kDensities[seed / 2 % 2 * 2];
    options.metric = seed % 3 == 0 ? Metric::kManhattan : Metric::kEuclidean;
    options.num_threads = 1 + static_cast<int>(seed % 3);
    size_t at = 0;
    const absl::Status status = SweepNeighbors(
        points, options, numbers, [&](const DensityPeaksResult& result) {
          DensityPeaksOptions own = options;
          own.neighbors = numbers[at];
          SCOPED_TRACE(testing::Message()
                       << "seed " << seed << ", k " << numbers[at]);
          const absl::StatusOr<DensityPeaksResult> expected =
              DensityPeaks(points, own);
          EXPECT_TRUE(expected.ok()) << expected.status();
          if (!expected.ok()) return expected.status();
          EXPECT_EQ(result.graph, expected->graph);
          EXPECT_EQ(result.clusters, expected->clusters);
          EXPECT_EQ(result.significance, expected->significance);
          EXPECT_EQ(result.neighbors, expected->neighbors);
          ++at;
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(at, numbers.size());
  }
}

}  // namespace
}  // namespace warpclust
