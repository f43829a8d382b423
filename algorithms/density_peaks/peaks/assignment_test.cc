// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/assignment.h"

#include <algorithm>

#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

// Clusters of random peaks, with halo.
TEST(AssignmentTest, EqualsTheDefinition) {
  int64_t halo = 0, noise = 0, clusters_found = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Metric metric =
        seed % 2 == 0 ? Metric::kEuclidean : Metric::kManhattan;
    const PointMatrix points = RandomPoints(seed);
    const DecisionGraph graph =
        NaiveDecisionGraph(points, metric, RandomCutoff(points, metric, seed));
    const int32_t n = graph.num_points();
    Random random(seed);
    std::vector<int32_t> peaks;
    std::vector<bool> is_peak(n);
    const uint64_t one_of = 1 + random.Below(n);
    for (int32_t i = n - 1; i >= 0; --i) {
      if (random.Below(one_of) != 0 && graph.dependent_points[i] >= 0) continue;
      peaks.push_back(i);
      is_peak[i] = true;
    }
    const int32_t density_min = static_cast<int32_t>(random.Below(6));
    Clusters clusters = AssignClusters(graph, peaks, density_min);
    const NaiveIndex index(points, NormOfMetric(metric));
    const absl::StatusOr<std::vector<uint8_t>> found =
        FindHalo(index, metric, graph, clusters);
    ASSERT_TRUE(found.ok()) << found.status();
    clusters.halo = *found;
    EXPECT_EQ(clusters,
              NaiveClusters(points, metric, graph, is_peak, density_min, true));
    halo += std::count(clusters.halo.begin(), clusters.halo.end(), 1);
    noise += std::count(clusters.noise.begin(), clusters.noise.end(), 1);
    clusters_found += clusters.num_clusters();
  }
  EXPECT_GT(halo, 100);
  EXPECT_GT(noise, 100);
  EXPECT_GT(clusters_found, 500);
}

}  // namespace
}  // namespace warpclust
