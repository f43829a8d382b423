// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/basins.h"

#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "gtest/gtest.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

OtherLabelSearch SearchOf(const NaiveIndex& index, Metric metric,
                          double cutoff_distance) {
  const double key = KeyOfDistance(metric, cutoff_distance);
  return [&index, key](absl::Span<const int32_t> ranks,
                       absl::Span<const int32_t> labels,
                       absl::Span<int32_t> best) {
    return index.HighestRankOfOtherLabel(key, ranks, labels, best);
  };
}

TEST(BasinsTest, EqualsTheDefinition) {
  int64_t saddles = 0, apart = 0, not_elders = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Metric metric =
        seed % 3 == 0 ? Metric::kManhattan : Metric::kEuclidean;
    const PointMatrix points =
        seed % 4 == 0
            ? RandomBlobs(300, 1 + static_cast<int32_t>(seed / 4 % 3), 5, seed)
            : RandomPoints(seed);
    const double cutoff =
        seed % 4 == 0 ? 3 + seed % 5 : RandomCutoff(points, metric, seed);
    const DecisionGraph graph = NaiveDecisionGraph(points, metric, cutoff);
    const NaiveIndex index(points, NormOfMetric(metric));
    const absl::StatusOr<Basins> basins =
        FindBasins(graph, RanksOfDensities(graph.densities),
                   SearchOf(index, metric, cutoff), 1 + seed % 3);
    ASSERT_TRUE(basins.ok()) << basins.status();
    ASSERT_EQ(*basins, NaiveBasins(points, metric, graph));
    // By an index without a search for joining pairs, and by trees.
    const double key = KeyOfDistance(metric, cutoff);
    std::vector<std::unique_ptr<NeighborIndex>> indexes;
    indexes.push_back(
        std::make_unique<NaiveIndex>(points, NormOfMetric(metric)));
    indexes.push_back(*BuildBoxTreeIndex(points, NormOfMetric(metric), 2));
    indexes.push_back(*BuildVpTreeIndex(points, NormOfMetric(metric), 1));
    for (const std::unique_ptr<NeighborIndex>& of_kind : indexes) {
      const absl::StatusOr<Basins> same =
          FindBasins(graph, RanksOfDensities(graph.densities), *of_kind, key,
                     1 + seed % 3);
      ASSERT_TRUE(same.ok()) << same.status();
      ASSERT_EQ(*same, *basins) << of_kind->name();
    }
    // Beginning with the pairs of a smaller radius, which help, and of a larger
    // one, which do not.
    JoinedPairs joined[2];
    for (const double factor : {0.6, 1.4, 1.0}) {
      const double radius = factor * cutoff;
      const DecisionGraph of_radius =
          NaiveDecisionGraph(points, metric, radius);
      const Basins expected = NaiveBasins(points, metric, of_radius);
      for (int tree = 0; tree < 2; ++tree) {
        const absl::StatusOr<Basins> same =
            FindBasins(of_radius, RanksOfDensities(of_radius.densities),
                       *indexes[1 + tree], KeyOfDistance(metric, radius), 2,
                       &joined[tree]);
        ASSERT_TRUE(same.ok()) << same.status();
        ASSERT_EQ(*same, expected) << factor;
      }
    }
    for (size_t c = 1; c < basins->candidates.size(); ++c) {
      ++(basins->saddles[c] > 0 ? saddles : apart);
      not_elders += basins->neighbors[c] > static_cast<int32_t>(c);
    }
  }
  EXPECT_GT(saddles, 300);
  EXPECT_GT(apart, 1000);
  EXPECT_GT(not_elders, 10);
}

// Basins of candidates with these densities and saddles; `sizes` points each.
struct Worked {
  DecisionGraph graph;
  Basins basins;

  Worked(const std::vector<int32_t>& densities,
         const std::vector<int32_t>& saddles,
         const std::vector<int32_t>& neighbors,
         const std::vector<int32_t>& sizes) {
    basins.saddles = saddles;
    basins.neighbors = neighbors;
    for (size_t c = 0; c < densities.size(); ++c) {
      basins.candidates.push_back(static_cast<int32_t>(basins.basins.size()));
      for (int32_t i = 0; i < sizes[c]; ++i) {
        basins.basins.push_back(static_cast<int32_t>(c));
        graph.densities.push_back(i == 0 ? densities[c] : 3);
      }
    }
  }

  std::vector<int32_t> Labels(int32_t density_min = 0) const {
    const SignificantPeaks peaks =
        SelectSignificantPeaks(graph, basins, 2, density_min);
    std::vector<int32_t> labels;
    for (const int32_t candidate : basins.candidates) {
      labels.push_back(peaks.labels[candidate]);
    }
    return labels;
  }
};

TEST(SignificanceTest, Sigma) {
  EXPECT_EQ(Sigma(7, 7), 0);
  EXPECT_NEAR(Sigma(100, 64), std::sqrt(2) * 1.9954, 0.001);
  EXPECT_EQ(LeastSigma(1, 2), 0);
  EXPECT_NEAR(LeastSigma(100, 3), 3.035, 0.001);
  EXPECT_NEAR(LeastSigma(100, 1), 4.292, 0.001);
}

TEST(SignificanceTest, KeepsWhatStandsOut) {
  // Of four, above sqrt(2 ln 4) = 1.67: 5.2 and 2.0 sigma, not 0.7.
  const Worked worked({100, 90, 85, 80}, {0, 34, 76, 57}, {-1, 0, 1, 2},
                      {30, 20, 20, 20});
  EXPECT_EQ(worked.Labels(), (std::vector<int32_t>{0, 1, 1, 2}));
  // Noise is no peak.
  EXPECT_EQ(worked.Labels(82), (std::vector<int32_t>{0, 1, 1, 1}));
}

TEST(SignificanceTest, SmallClustersDissolve) {
  // The mean density is between 8 and 9.
  const Worked worked({100, 90, 80, 70}, {0, 5, 5, 5}, {-1, 0, 1, 2},
                      {40, 9, 8, 2});
  EXPECT_EQ(worked.Labels(), (std::vector<int32_t>{0, 1, 2, 2}));
  const Worked smaller({100, 90, 80, 70}, {0, 5, 5, 5}, {-1, 0, 1, 1},
                       {40, 9, 8, 2});
  EXPECT_EQ(smaller.Labels(), (std::vector<int32_t>{0, 1, 1, 1}));
  // It is 6.9. Twice as many are needed without a saddle.
  const Worked apart({100, 90, 80}, {0, 0, 0}, {-1, 0, 0}, {40, 14, 13});
  EXPECT_EQ(apart.Labels(), (std::vector<int32_t>{0, 1, 0}));
}

TEST(SignificanceTest, NeighborsMayBeLower) {
  // The basin of the third candidate meets that of the fourth first, which is
  // no peak either and joins the second.
  const Worked worked({100, 90, 50, 49}, {0, 5, 36, 40}, {-1, 0, 3, 1},
                      {30, 20, 20, 20});
  EXPECT_EQ(worked.Labels(), (std::vector<int32_t>{0, 1, 1, 1}));
  const Significance found =
      SignificanceOf(worked.graph, worked.basins, 2, {30, 0});
  EXPECT_EQ(found.saddles, (std::vector<int32_t>{5, 0}));
  EXPECT_EQ(found.sigmas, (std::vector<double>{Sigma(90, 5), Sigma(100, 0)}));
  EXPECT_EQ(found.num_candidates, 4);
  EXPECT_EQ(found.least_sigma, LeastSigma(4, 2));
}

}  // namespace
}  // namespace warpclust
