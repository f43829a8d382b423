// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/point_density.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"
#include "vptree/nearest_neighbors.h"
#include "vptree/points/metric.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                               Metric::kChebyshev};
// Logarithms are rounded to multiples of 2^-24.
constexpr double kNear = 1e-6;

// By point: the distances to the others and their ids, nearest first.
std::vector<std::vector<std::pair<double, int32_t>>> AllNeighbors(
    const PointMatrix& points, Metric metric) {
  std::vector<std::vector<std::pair<double, int32_t>>> all(points.num_points);
  for (int32_t i = 0; i < points.num_points; ++i) {
    for (int32_t j = 0; j < points.num_points; ++j) {
      if (j == i) continue;
      const double key = NaiveKey(points, NormOfMetric(metric), i, j);
      all[i].push_back({DistanceOfKey(metric, key), j});
    }
    std::sort(all[i].begin(), all[i].end());
  }
  return all;
}

double NaiveDimension(
    const std::vector<std::vector<std::pair<double, int32_t>>>& all, int32_t k,
    int32_t num_dimensions) {
  double sum = 0;
  int count = 0;
  for (const auto& near : all) {
    if (k < 2 || near[0].first == 0) continue;
    sum += std::log(near[1].first / near[0].first);
    ++count;
  }
  return sum > 0 ? count / sum : num_dimensions;
}

NearestNeighbors Neighbors(const PointMatrix& points, Metric metric,
                           int32_t k) {
  return *FindNearestNeighbors(points, k,
                               {.metric = metric, .device = Device::kCpu});
}

TEST(PointDensityTest, GaussianSumsEqualTheDefinition) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Metric metric = kMetrics[seed % 3];
    const PointMatrix points = RandomPoints(seed);
    const double cutoff = RandomCutoff(points, metric, seed);
    const NaiveIndex index(points, NormOfMetric(metric));
    const absl::StatusOr<PointDensities> found =
        GaussianDensities(index, metric, cutoff);
    ASSERT_TRUE(found.ok()) << found.status();
    const auto all = AllNeighbors(points, metric);
    for (int32_t i = 0; i < points.num_points; ++i) {
      double sum = 0, squares = 0;
      for (const auto& [distance, id] : all[i]) {
        const double term =
            std::exp(-(distance / cutoff) * (distance / cutoff));
        double rounded = std::round(term * 32) / 32;
        // Whatever rounding says where it is undecided in this arithmetic.
        if (std::fabs(std::fabs(term * 32 - std::floor(term * 32)) - 0.5) <
            1e-9) {
          rounded = -1;
        }
        if (rounded < 0) {
          sum = -1;
          break;
        }
        sum += rounded;
        squares += rounded * rounded;
      }
      if (sum < 0) continue;
      if (sum == 0) {
        EXPECT_EQ(found->logs[i], -HUGE_VAL);
        EXPECT_EQ(found->errors[i], 1);
        continue;
      }
      EXPECT_NEAR(found->logs[i], std::log(sum), kNear) << "point " << i;
      EXPECT_NEAR(found->errors[i], std::sqrt(squares) / sum, kNear);
    }
  }
}

TEST(PointDensityTest, NeighborDensitiesEqualTheDefinition) {
  for (uint64_t seed = 0; seed < 90; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Metric metric = kMetrics[seed % 3];
    const PointMatrix points = RandomPoints(seed);
    if (points.num_points < 2) continue;
    const auto all = AllNeighbors(points, metric);
    const int32_t k = std::min<int32_t>(1 + seed % 40, points.num_points - 1);
    // Of longer lists the first k count.
    const NearestNeighbors neighbors =
        Neighbors(points, metric, k + static_cast<int32_t>(seed % 4));
    const PointDensities found = NeighborDensities(
        points, neighbors, k, PointDensity::kNeighbors, 1 + seed % 3);
    const double dimension = NaiveDimension(all, k, points.num_dimensions);
    EXPECT_NEAR(
        internal::IntrinsicDimension(neighbors, k, points.num_dimensions),
        dimension, 1e-9 * dimension);
    for (int32_t i = 0; i < points.num_points; ++i) {
      ASSERT_EQ(found.neighbor_counts[i], k);
      EXPECT_EQ(found.errors[i], 1 / std::sqrt(k));
      const double radius = all[i][k - 1].first;
      if (radius == 0) {
        EXPECT_EQ(found.logs[i], HUGE_VAL);
      } else {
        const double log = std::log(k) - dimension * std::log(radius);
        EXPECT_NEAR(found.logs[i], log, kNear + 1e-9 * std::fabs(log));
      }
    }
  }
}

// The derivatives of the likelihood of PAk by F and by a, in units of the
// volume of the farthest neighbor.
std::pair<double, double> Derivatives(const std::vector<double>& shells,
                                      double f, double a) {
  const double k = static_cast<double>(shells.size());
  double by_f = k;
  double by_a = k * (k + 1) / 2;
  for (size_t l = 0; l < shells.size(); ++l) {
    const double term =
        shells[l] * std::exp(f + a * static_cast<double>(l + 1));
    by_f -= term;
    by_a -= static_cast<double>(l + 1) * term;
  }
  return {by_f, by_a};
}

TEST(PointDensityTest, AdaptiveDensitiesMaximizeTheLikelihood) {
  int stopped = 0, maxima = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const PointMatrix points =
        seed % 2 == 0 ? RandomBlobs(300, 2, 3, seed) : RandomPoints(seed);
    if (points.num_points < 2) continue;
    const auto all = AllNeighbors(points, Metric::kEuclidean);
    const int32_t most = std::min<int32_t>(60, points.num_points - 1);
    const PointDensities found =
        NeighborDensities(points,
                          Neighbors(points, Metric::kEuclidean,
                                    most + static_cast<int32_t>(seed % 4)),
                          most, PointDensity::kAdaptive, 1 + seed % 3);
    const double dimension = NaiveDimension(all, most, points.num_dimensions);
    for (int32_t i = 0; i < points.num_points; ++i) {
      int32_t k = std::min<int32_t>(4, most);
      for (; k < most; ++k) {
        const double own = all[i][k - 1].first;
        const double other = all[all[i][k].second][k - 1].first;
        if (own == other) continue;
        if (own == 0 || other == 0) break;
        // The likelihood ratio as the paper writes it, in relative volumes.
        const double w = std::pow(other / own, dimension);
        const double ratio =
            -2.0 * k * (std::log(w) - 2 * std::log(1 + w) + std::log(4.0));
        if (ratio > 23.928) break;
      }
      ASSERT_EQ(found.neighbor_counts[i], k) << "point " << i;
      stopped += k < most;
      const double farthest = all[i][k - 1].first;
      if (farthest == 0) {
        EXPECT_EQ(found.logs[i], HUGE_VAL);
        continue;
      }
      std::vector<double> shells;
      double before = 0;
      for (int32_t l = 0; l < k; ++l) {
        const double volume = std::pow(all[i][l].first / farthest, dimension);
        shells.push_back(volume - before);
        before = volume;
      }
      const double f = found.logs[i] + dimension * std::log(farthest);
      // For this F the derivative by F falls with a.
      double low = -60, high = 60;
      for (int step = 0; step < 200; ++step) {
        const double middle = 0.5 * (low + high);
        (Derivatives(shells, f, middle).first > 0 ? low : high) = middle;
      }
      const auto [by_f, by_a] = Derivatives(shells, f, low);
      const bool is_maximum =
          std::fabs(by_f) < 1e-3 && std::fabs(by_a) < 1e-3 * k * k;
      maxima += is_maximum;
      if (!is_maximum) {
        EXPECT_NEAR(f, std::log(k), kNear) << "point " << i;
      }
    }
  }
  EXPECT_GT(stopped, 1000);
  EXPECT_GT(maxima, 5000);
}

TEST(PointDensityTest, DefaultNeighbors) {
  EXPECT_EQ(DefaultNeighbors(2), 4);
  EXPECT_EQ(DefaultNeighbors(400), 12);
  EXPECT_EQ(DefaultNeighbors(1000000), 100);
}

}  // namespace
}  // namespace warpclust
