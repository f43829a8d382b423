// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/basins.h"

#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/peaks/significance.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "base/numbers/random.h"
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
    const auto [metric, points, cutoff] = RandomCutoffCase(seed);
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

// A random forest: each point but the first by rank depends on one of higher
// rank, and one in `period` points is a candidate.
struct Forest {
  DecisionGraph graph;
  std::vector<uint8_t> is_candidate;
  Basins expected;

  Forest(int32_t n, int32_t period, uint64_t seed) : is_candidate(n) {
    Random random(seed);
    for (int32_t i = 0; i < n; ++i) {
      graph.densities.push_back(static_cast<int32_t>(random.Below(n / 4)));
    }
    graph.dependent_points.assign(n, -1);
    expected.basins.resize(n);
    const DensityRanks ranks = RanksOfDensities(graph.densities, 1);
    for (int32_t rank = 0; rank < n; ++rank) {
      const int32_t point = ranks.order[rank];
      int32_t& dependent = graph.dependent_points[point];
      if (rank > 0) dependent = ranks.order[random.Below(rank)];
      is_candidate[point] = rank == 0 || random.Below(period) == 0;
      if (is_candidate[point] == 0) {
        expected.basins[point] = expected.basins[dependent];
        continue;
      }
      expected.basins[point] = static_cast<int32_t>(expected.candidates.size());
      expected.candidates.push_back(point);
      expected.neighbors.push_back(dependent < 0 ? -1
                                                 : expected.basins[dependent]);
    }
    expected.saddles.assign(expected.candidates.size(), 0);
  }
};

TEST(BasinsTest, ManyPointsByAnyThreads) {
  const OtherLabelSearch nothing_near =
      [](absl::Span<const int32_t>, absl::Span<const int32_t>,
         absl::Span<int32_t>) { return absl::OkStatus(); };
  for (const int32_t period : {2, 1000}) {
    const Forest forest(150'000, period, period);
    for (const int threads : {1, 2, 7}) {
      const absl::StatusOr<Basins> basins =
          FindBasinsOf(forest.is_candidate, forest.graph.dependent_points,
                       forest.graph.densities,
                       RanksOfDensities(forest.graph.densities, threads),
                       nothing_near, threads);
      ASSERT_TRUE(basins.ok()) << basins.status();
      EXPECT_TRUE(*basins == forest.expected)
          << period << ", " << threads << " threads";
    }
  }
}

// The definition, one candidate after the other.
SignificantPeaks NaiveSignificantPeaks(const DecisionGraph& graph,
                                       const Basins& basins,
                                       int32_t density_min) {
  const size_t count = basins.candidates.size();
  const double least = LeastSigma(static_cast<int32_t>(count), 2);
  std::vector<bool> is_kept(count);
  for (size_t c = 0; c < count; ++c) {
    const int32_t density = graph.densities[basins.candidates[c]];
    is_kept[c] = c == 0 || (density >= density_min &&
                            Sigma(density, basins.saddles[c]) > least);
  }
  const auto owner_of = [&](int32_t c) {
    while (!is_kept[c]) c = basins.neighbors[c];
    return c;
  };
  std::vector<int64_t> sizes(count);
  for (const int32_t basin : basins.basins) ++sizes[owner_of(basin)];
  int64_t pairs = 0;
  for (const int32_t density : graph.densities) pairs += density;
  const auto n = static_cast<int64_t>(basins.basins.size());
  for (size_t c = count - 1; c > 0; --c) {
    const int64_t size = (basins.saddles[c] > 0 ? 1 : 2) * pairs;
    if (!is_kept[c] || sizes[c] * n >= size) continue;
    is_kept[c] = false;
    sizes[owner_of(static_cast<int32_t>(c))] += sizes[c];
  }
  SignificantPeaks result;
  std::vector<int32_t> places(count);
  for (size_t c = 0; c < count; ++c) {
    if (!is_kept[c]) continue;
    places[c] = static_cast<int32_t>(result.peaks.size());
    result.peaks.push_back(basins.candidates[c]);
  }
  for (const int32_t basin : basins.basins) {
    result.labels.push_back(places[owner_of(basin)]);
  }
  return result;
}

TEST(SignificanceTest, ManyPointsByAnyThreads) {
  constexpr int32_t kPoints = 150'000;
  for (const int32_t period : {2, 1000}) {
    Forest forest(kPoints, period, period);
    // One candidate in 20 stands out; their clusters are above and below the
    // mean density in size.
    Random random(7);
    for (int32_t& density : forest.graph.densities) density %= 40;
    Basins& basins = forest.expected;
    for (size_t c = 1; c < basins.candidates.size(); ++c) {
      int32_t& density = forest.graph.densities[basins.candidates[c]];
      if (random.Below(20) == 0) density += 200;
      basins.saddles[c] = static_cast<int32_t>(random.Below(density + 1));
    }
    const SignificantPeaks expected =
        NaiveSignificantPeaks(forest.graph, basins, 5);
    EXPECT_GT(expected.peaks.size(), 1);
    for (const int threads : {1, 2, 7}) {
      const SignificantPeaks peaks =
          SelectSignificantPeaks(forest.graph, basins, 2, 5, threads);
      EXPECT_EQ(peaks.peaks, expected.peaks) << threads << " threads";
      EXPECT_TRUE(peaks.labels == expected.labels) << threads << " threads";
    }
  }
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
  // 1,000 points with a mean density of 50.
  EXPECT_EQ(NumTries(10, 1000, 50000, 2), 10);
  EXPECT_EQ(NumTries(10, 1000, 50000, 1), 40);
  EXPECT_EQ(NumTries(60, 1000, 50000, 1), 60);
  EXPECT_EQ(NumTries(10, 1000, 0, 1), 1000);
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
