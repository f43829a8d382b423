// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density_peaks.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "algorithms/density_peaks/testing/cluster_on_cpu.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/machine/work_share.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Rule = PeakSelection::Rule;

constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                               Metric::kChebyshev, Metric::kAngular,
                               Metric::kCosine};

PointMatrix OnALine(const std::vector<double>& values) {
  PointMatrix points;
  points.num_points = static_cast<int32_t>(values.size());
  points.num_dimensions = 1;
  points.values = values;
  return points;
}

// Two groups and a point far from both, computed by hand; d_c = 1.5.
//   id     0  1  2  3   4   5   6   7
//   x      0  1  2  3  10  11  12  30
//   rho    1  2  2  1   1   2   1   0
//   rank   3  0  1  4   5   2   6   7
//   dep.   1  -  1  2   5   2   5   6
//   delta  1 29  1  1   1   9   1  18
//   gamma  1 36  2  1   1  18   1   0     29 counts as 18
// The drops of gamma are 36 : 18 and 18 : 2, so the peaks are 1 and 5.
TEST(DensityPeaksTest, WorkedExample) {
  const PointMatrix points = OnALine({0, 1, 2, 3, 10, 11, 12, 30});
  DensityPeaksOptions options = OnCpu();
  options.cutoff_distance = 1.5;
  options.halo = true;
  options.peaks.density_min = 1;
  const DensityPeaksResult result = Cluster(points, options);
  EXPECT_EQ(result.graph.cutoff_distance, 1.5);
  EXPECT_EQ(result.graph.densities,
            (std::vector<int32_t>{1, 2, 2, 1, 1, 2, 1, 0}));
  EXPECT_EQ(result.graph.dependent_points,
            (std::vector<int32_t>{1, -1, 1, 2, 5, 2, 5, 6}));
  EXPECT_EQ(result.graph.dependent_distances,
            (std::vector<double>{1, 29, 1, 1, 1, 9, 1, 18}));
  EXPECT_EQ(result.clusters.peaks, (std::vector<int32_t>{1, 5}));
  EXPECT_EQ(result.clusters.labels,
            (std::vector<int32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(result.clusters.noise,
            (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(result.clusters.halo, std::vector<uint8_t>(8, 0));
  EXPECT_FALSE(result.cutoff_sampled);
  EXPECT_FALSE(result.cutoff_replaced);

  // Strictly within: with d_c = 1 no point has a neighbor, so the rank is the
  // id.
  options.cutoff_distance = 1;
  options.peaks = {.rule = Rule::kCount, .count = 3};
  const DensityPeaksResult none = Cluster(points, options);
  EXPECT_EQ(none.graph.densities, std::vector<int32_t>(8, 0));
  EXPECT_EQ(none.graph.dependent_points,
            (std::vector<int32_t>{-1, 0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(none.clusters.peaks, (std::vector<int32_t>{0, 1, 2}));
}

// The halo, computed by hand: a chain with one longer link, d_c = 1.5.
//   id     0  1  2  3  4    5    6    7
//   x      0  1  2  3  4  5.4  6.4  7.4
//   rho    1  2  2  2  2    2    2    1
// Equal densities go by id, so 2 to 6 depend on their left neighbors; the delta
// of 5 is 1.4, the largest. The pair (4, 5) joins the two clusters; the average
// of its densities, 2, is the border density of both.
TEST(DensityPeaksTest, WorkedHalo) {
  DensityPeaksOptions options = OnCpu();
  options.cutoff_distance = 1.5;
  options.halo = true;
  options.peaks = {.rule = Rule::kCount, .count = 2};
  const PointMatrix points = OnALine({0, 1, 2, 3, 4, 5.4, 6.4, 7.4});
  const DensityPeaksResult result = Cluster(points, options);
  EXPECT_EQ(result.graph.densities,
            (std::vector<int32_t>{1, 2, 2, 2, 2, 2, 2, 1}));
  EXPECT_EQ(result.clusters.peaks, (std::vector<int32_t>{1, 5}));
  EXPECT_EQ(result.clusters.labels,
            (std::vector<int32_t>{0, 0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(result.clusters.halo,
            (std::vector<uint8_t>{1, 0, 0, 0, 0, 0, 0, 1}));
}

std::vector<bool> NaivePeaks(const DecisionGraph& graph,
                             const PeakSelection& rule) {
  const int32_t n = graph.num_points();
  std::vector<bool> is_peak(n);
  double largest = 0;
  int32_t top = 0;
  for (int32_t i = 0; i < n; ++i) {
    if (graph.dependent_points[i] < 0) {
      top = i;
    } else {
      largest = std::max(largest, graph.dependent_distances[i]);
    }
  }
  is_peak[top] = true;
  const auto gamma = [&](int32_t i) {
    return graph.densities[i] *
           (i == top ? std::min(largest, graph.dependent_distances[i])
                     : graph.dependent_distances[i]);
  };
  for (int32_t i = 0; i < n; ++i) {
    if (graph.densities[i] < rule.density_min) continue;
    if (rule.rule == Rule::kThresholds &&
        graph.dependent_distances[i] >= rule.delta_min) {
      is_peak[i] = true;
    }
    if (rule.rule == Rule::kGamma && gamma(i) >= rule.gamma_min) {
      is_peak[i] = true;
    }
  }
  for (int32_t k = 1; rule.rule == Rule::kCount && k < rule.count; ++k) {
    int32_t best = -1;
    for (int32_t i = 0; i < n; ++i) {
      if (is_peak[i] || graph.densities[i] < rule.density_min) continue;
      if (best < 0 || gamma(i) > gamma(best) ||
          (gamma(i) == gamma(best) &&
           graph.densities[i] > graph.densities[best])) {
        best = i;
      }
    }
    is_peak[best] = true;
  }
  return is_peak;
}

PeakSelection RandomRule(const DecisionGraph& graph, uint64_t seed) {
  Random random(seed, 19);
  const int32_t n = graph.num_points();
  const int32_t some = static_cast<int32_t>(random.Below(n));
  PeakSelection rule;
  if (random.Below(2) == 0) rule.density_min = graph.densities[some];
  switch (random.Below(3)) {
    case 0: {
      int32_t dense = 0;
      for (const int32_t density : graph.densities) {
        dense += density >= rule.density_min;
      }
      rule.rule = Rule::kCount;
      rule.count = 1 + static_cast<int32_t>(random.Below(dense));
      break;
    }
    case 1:
      rule.rule = Rule::kThresholds;
      rule.delta_min = graph.dependent_distances[some];
      break;
    default:
      rule.rule = Rule::kGamma;
      rule.gamma_min = graph.densities[some] * graph.dependent_distances[some];
  }
  return rule;
}

TEST(DensityPeaksTest, EqualsTheDefinitionWithEveryIndexMetricAndThreads) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Metric metric = kMetrics[seed % 5];
    const PointMatrix points = RandomPoints(seed);
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", metric " << MetricName(metric) << ", "
                 << points.num_points << " x " << points.num_dimensions);
    PointMatrix prepared = points;
    ASSERT_TRUE(PrepareForMetric(metric, &prepared).ok());
    DensityPeaksOptions options = OnCpu();
    options.metric = metric;
    options.cutoff_distance = RandomCutoff(prepared, metric, seed);
    const DecisionGraph graph =
        NaiveDecisionGraph(prepared, metric, options.cutoff_distance);
    options.peaks = RandomRule(graph, seed);
    options.halo = seed % 3 != 0;
    const Clusters clusters =
        NaiveClusters(prepared, metric, graph, NaivePeaks(graph, options.peaks),
                      options.peaks.density_min, options.halo);
    for (const DensityPeaksIndex index : kIndexes) {
      options.index = index;
      options.num_threads = seed % 4 == 0 ? 3 : 1;
      const DensityPeaksResult result = Cluster(points, options);
      SCOPED_TRACE(result.index);
      ASSERT_EQ(result.graph.densities, graph.densities);
      ASSERT_EQ(result.graph.dependent_points, graph.dependent_points);
      ASSERT_EQ(result.graph.dependent_distances, graph.dependent_distances);
      ASSERT_EQ(result.clusters, clusters);
    }
  }
}

TEST(DensityPeaksTest, SignificantPeaksEqualTheDefinition) {
  int64_t clusters_found = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Metric metric = kMetrics[seed % 5];
    const PointMatrix points =
        seed % 2 == 0
            ? RandomBlobs(200 + static_cast<int32_t>(seed),
                          1 + static_cast<int32_t>(seed / 2 % 3), 4, seed)
            : RandomPoints(seed);
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", metric " << MetricName(metric) << ", "
                 << points.num_points << " x " << points.num_dimensions);
    PointMatrix prepared = points;
    if (!PrepareForMetric(metric, &prepared).ok()) continue;  // The origin.
    DensityPeaksOptions options = OnCpu();
    options.metric = metric;
    options.peaks.rule = Rule::kSignificance;
    const double chosen = NaiveCutoffDistance(
        prepared, metric,
        CutoffQuantile(options, points.num_points, points.num_dimensions));
    options.cutoff_distance = seed % 4 == 0 && chosen > 0
                                  ? chosen
                                  : RandomCutoff(prepared, metric, seed);
    const DecisionGraph graph =
        NaiveDecisionGraph(prepared, metric, options.cutoff_distance);
    if (seed % 3 == 0) options.peaks.density_min = 4;
    options.halo = seed % 3 != 0;
    const Basins basins = NaiveBasins(prepared, metric, graph);
    const Clusters clusters =
        NaiveSignificantClusters(prepared, metric, graph, basins,
                                 options.peaks.density_min, options.halo);
    clusters_found += clusters.num_clusters();
    for (const DensityPeaksIndex index : kIndexes) {
      options.index = index;
      options.num_threads = seed % 4 == 0 ? 3 : 1;
      const DensityPeaksResult result = Cluster(points, options);
      SCOPED_TRACE(result.index);
      ASSERT_EQ(result.graph, graph);
      ASSERT_EQ(result.clusters, clusters);
      ASSERT_EQ(result.significance.num_candidates, basins.candidates.size());
      for (size_t c = 0; c < clusters.peaks.size(); ++c) {
        const int32_t peak = clusters.peaks[c];
        const int32_t saddle = basins.saddles[basins.basins[peak]];
        ASSERT_EQ(result.significance.saddles[c], saddle);
        ASSERT_EQ(result.significance.sigmas[c],
                  Sigma(graph.densities[peak], saddle));
        if (graph.dependent_points[peak] < 0) continue;
        ASSERT_GT(result.significance.sigmas[c],
                  result.significance.least_sigma);
      }
    }
  }
  EXPECT_GT(clusters_found, 400);
}

// Larger sets, so that trees have depth and threads share the work.
TEST(DensityPeaksTest, IndexesAndThreadsDoNotShow) {
  for (const int32_t dimensions : {2, 5}) {
    Random random(dimensions);
    PointMatrix points;
    points.num_points = 6000;
    points.num_dimensions = dimensions;
    for (int32_t i = 0; i < points.num_points * dimensions; ++i) {
      points.values.push_back(
          static_cast<double>(random.Below(5) * 50 + random.Below(20)));
    }
    DensityPeaksOptions options = OnCpu();
    options.halo = true;
    options.num_threads = 1;
    options.index = DensityPeaksIndex::kBruteForce;
    const DensityPeaksResult expected = Cluster(points, options);
    EXPECT_TRUE(expected.cutoff_sampled);
    EXPECT_EQ(expected.index, "brute force");
    options.peaks.rule = Rule::kSignificance;
    const DensityPeaksResult significant = Cluster(points, options);
    EXPECT_GT(significant.significance.num_candidates, 10);
    options.peaks.rule = Rule::kLargestDrop;
    for (const DensityPeaksIndex index : kIndexes) {
      for (const int threads : {1, 2, 5}) {
        options.index = index;
        options.num_threads = threads;
        const DensityPeaksResult result = Cluster(points, options);
        EXPECT_EQ(result.graph, expected.graph);
        EXPECT_EQ(result.clusters, expected.clusters);
        options.peaks.rule = Rule::kSignificance;
        const DensityPeaksResult by_significance = Cluster(points, options);
        EXPECT_EQ(by_significance.clusters, significant.clusters);
        EXPECT_EQ(by_significance.significance, significant.significance);
        options.peaks.rule = Rule::kLargestDrop;
      }
    }
  }
}

TEST(DensityPeaksTest, ReportedCutoffDistanceGivesTheSameAnswer) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const PointMatrix points = RandomPoints(seed);
    DensityPeaksOptions options = OnCpu();
    options.metric = kMetrics[seed % 5];
    options.cutoff_quantile = 0.1;
    const absl::StatusOr<DensityPeaksResult> chosen =
        DensityPeaks(points, options);
    if (!chosen.ok()) continue;  // All points equal.
    EXPECT_GT(chosen->graph.cutoff_distance, 0);
    options.cutoff_distance = chosen->graph.cutoff_distance;
    const DensityPeaksResult given = Cluster(points, options);
    EXPECT_EQ(given.graph, chosen->graph);
    EXPECT_EQ(given.clusters, chosen->clusters);
  }
}

TEST(DensityPeaksTest, TwoStepsAreOne) {
  const PointMatrix points = RandomPoints(4);
  DensityPeaksOptions options = OnCpu();
  options.peaks = {.rule = Rule::kCount, .count = 3, .density_min = 1};
  const DensityPeaksResult whole = Cluster(points, options);
  const absl::StatusOr<DensityPeaksResult> graph =
      ComputeDecisionGraph(points, options);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->graph, whole.graph);
  EXPECT_TRUE(graph->clusters.labels.empty());
  const absl::StatusOr<Clusters> clusters =
      ClusterByPeaks(graph->graph, options.peaks);
  ASSERT_TRUE(clusters.ok()) << clusters.status();
  EXPECT_EQ(*clusters, whole.clusters);
  DecisionGraph bad = graph->graph;
  bad.dependent_points[0] = 12345;
  EXPECT_FALSE(ClusterByPeaks(bad, options.peaks).ok());
  EXPECT_FALSE(ClusterByPeaks(DecisionGraph(), options.peaks).ok());

  Clusters foreign = *clusters;
  foreign.labels.back() = foreign.num_clusters();
  EXPECT_EQ(ComputeHalo(points, options, graph->graph, foreign).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(DensityPeaksTest, CutoffFollowsFromPointsAndDimensions) {
  struct Case {
    Metric metric;
    int32_t dimensions;
    double quantile;
  };
  for (const Case& one : {Case{Metric::kEuclidean, 1, 0.12},
                          {Metric::kEuclidean, 2, 0.06},
                          {Metric::kCosine, 2, 0.12},
                          {Metric::kAngular, 3, 0.06}}) {
    SCOPED_TRACE(testing::Message()
                 << MetricName(one.metric) << ", " << one.dimensions);
    DensityPeaksOptions options;
    options.device = Device::kCpu;
    options.metric = one.metric;
    const PointMatrix points = RandomBlobs(100, one.dimensions, 1, 1);
    const DensityPeaksResult result = Cluster(points, options);
    EXPECT_EQ(result.cutoff_quantile, one.quantile);
    options.cutoff_quantile = one.quantile;
    EXPECT_EQ(Cluster(points, options).graph, result.graph);
    options.cutoff_distance = result.graph.cutoff_distance;
    EXPECT_EQ(Cluster(points, options).cutoff_quantile, 0);
  }
}

TEST(DensityPeaksTest, EqualPoints) {
  for (const int32_t n : {1, 2, 31, 32, 33, 200}) {
    const PointMatrix points = OnALine(std::vector<double>(n, 7));
    DensityPeaksOptions options = OnCpu();
    EXPECT_EQ(DensityPeaks(points, options).status().code(),
              absl::StatusCode::kInvalidArgument);
    // Equal points are within any distance of one another.
    for (const double distance : {1.0, 1e-200}) {
      options.cutoff_distance = distance;
      const DensityPeaksResult result = Cluster(points, options);
      EXPECT_EQ(result.graph.densities, std::vector<int32_t>(n, n - 1));
      EXPECT_EQ(result.clusters.labels, std::vector<int32_t>(n, 0));
      EXPECT_EQ(result.clusters.peaks, std::vector<int32_t>{0});
      for (int32_t i = 0; i < n; ++i) {
        EXPECT_EQ(result.graph.dependent_points[i], i == 0 ? -1 : 0);
      }
    }
  }
}

TEST(DensityPeaksTest, HaloNeedsACutoffDistance) {
  const PointMatrix points = OnALine({0, 1, 5, 6});
  DensityPeaksResult result = DensityPeaks(points, OnCpu()).value();
  for (const double distance :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::infinity()}) {
    result.graph.cutoff_distance = distance;
    EXPECT_EQ(ComputeHalo(points, OnCpu(), result.graph, result.clusters)
                  .status()
                  .code(),
              absl::StatusCode::kInvalidArgument)
        << distance;
  }
}

TEST(DensityPeaksTest, EndsIfItIsAskedTo) {
  WorkShare work;
  DensityPeaksOptions options = OnCpu();
  options.work = &work;
  const PointMatrix points = OnALine({0, 1, 2, 3, 10, 11, 12, 30});
  EXPECT_TRUE(DensityPeaks(points, options).ok());
  work.RequestStop();
  EXPECT_EQ(DensityPeaks(points, options).status().code(),
            absl::StatusCode::kCancelled);
}

TEST(DensityPeaksTest, Refusals) {
  const auto message = [](const PointMatrix& points,
                          const DensityPeaksOptions& options) {
    const absl::Status status = DensityPeaks(points, options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PointMatrix good = OnALine({1, 2, 3});
  EXPECT_TRUE(
      absl::StrContains(message(PointMatrix(), OnCpu()), "at least one point"));
  EXPECT_TRUE(
      absl::StrContains(message(OnALine({1, nan}), OnCpu()), "point 1"));
  DensityPeaksOptions options = OnCpu();
  for (const double distance :
       {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    options.cutoff_distance = distance;
    EXPECT_TRUE(absl::StrContains(message(good, options), "cutoff_distance"));
  }
  options = OnCpu();
  for (const double quantile : {-0.5, 1.5, nan}) {
    options.cutoff_quantile = quantile;
    EXPECT_TRUE(absl::StrContains(message(good, options), "cutoff_quantile"));
  }
  options = OnCpu();
  options.num_threads = -1;
  EXPECT_TRUE(absl::StrContains(message(good, options), "threads"));
  options = OnCpu();
  options.peaks = {.rule = Rule::kCount, .count = 4};
  EXPECT_TRUE(absl::StrContains(message(good, options), "at most 3"));
  options = OnCpu();
  options.metric = Metric::kCosine;
  EXPECT_TRUE(absl::StrContains(message(OnALine({1, 0}), options), "point 1"));
  if (!ResolveDevice(Device::kCuda).ok()) {
    options = OnCpu();
    options.device = Device::kCuda;
    EXPECT_EQ(DensityPeaks(good, options).status().code(),
              absl::StatusCode::kUnavailable);
    EXPECT_TRUE(
        absl::StrContains(message(OnALine({1, nan}), options), "point 1"));
  }
}

}  // namespace
}  // namespace warpclust
