// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/page_points.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

DecisionGraph EuclideanGraph(const PointMatrix& points, double cutoff) {
  return NaiveDecisionGraph(points, Metric::kEuclidean, cutoff);
}

// The peak that each point's chain of dependent points meets first.
std::vector<int32_t> Owners(const std::vector<int32_t>& dependents,
                            const std::vector<uint8_t>& is_peak) {
  std::vector<int32_t> owners;
  for (size_t i = 0; i < dependents.size(); ++i) {
    int32_t point = static_cast<int32_t>(i);
    while (!is_peak[point]) point = dependents[point];
    owners.push_back(point);
  }
  return owners;
}

TEST(PagePointsTest, HoldsAllThatFit) {
  const DecisionGraph graph = EuclideanGraph(RandomBlobs(50, 2, 3, 1), 3.0);
  const PagePoints all = ChoosePagePoints(graph, {}, 50);
  std::vector<int32_t> ids(50);
  std::iota(ids.begin(), ids.end(), 0);
  EXPECT_EQ(all.ids, ids);
  EXPECT_EQ(all.firsts, ids);
  EXPECT_EQ(all.dependents, graph.dependent_points);
  EXPECT_EQ(all.weights, std::vector<int32_t>(50, 1));
  EXPECT_EQ(all.left_out_gamma, -1);
  EXPECT_TRUE(all.left_out_densities.empty());
  EXPECT_TRUE(all.left_out_levels.empty());
}

TEST(PagePointsTest, APartGivesTheLabelsAndSizesOfTheWhole) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const int32_t n = 400;
    const DecisionGraph graph = EuclideanGraph(RandomBlobs(n, 2, 6, seed), 4.0);
    const PagePoints part =
        ChoosePagePoints(graph, {}, static_cast<int32_t>(16 + 10 * seed));
    const size_t held = part.ids.size();
    ASSERT_LE(held, 16 + 10 * seed);
    ASSERT_GE(held, 12 + 5 * seed);
    ASSERT_TRUE(std::is_sorted(part.ids.begin(), part.ids.end()));
    EXPECT_EQ(std::accumulate(part.weights.begin(), part.weights.end(), 0), n);

    std::mt19937_64 random(seed);
    for (int round = 0; round < 5; ++round) {
      std::vector<uint8_t> is_peak(n, 0);
      std::vector<uint8_t> is_held_peak(held, 0);
      for (size_t k = 0; k < held; ++k) {
        if (part.dependents[k] < 0 || random() % 8 == 0) {
          is_held_peak[k] = 1;
          is_peak[part.ids[k]] = 1;
        }
      }
      const std::vector<int32_t> owners =
          Owners(graph.dependent_points, is_peak);
      const std::vector<int32_t> held_owners =
          Owners(part.dependents, is_held_peak);
      std::map<int32_t, int32_t> sizes, firsts, held_sizes, held_firsts;
      for (int32_t i = 0; i < n; ++i) {
        ++sizes[owners[i]];
        firsts.try_emplace(owners[i], i);
      }
      for (size_t k = 0; k < held; ++k) {
        const int32_t owner = part.ids[held_owners[k]];
        ASSERT_EQ(owner, owners[part.ids[k]]);
        held_sizes[owner] += part.weights[k];
        const auto [first, fresh] =
            held_firsts.try_emplace(owner, part.firsts[k]);
        first->second = std::min(first->second, part.firsts[k]);
      }
      ASSERT_EQ(held_sizes, sizes);
      ASSERT_EQ(held_firsts, firsts);
    }
  }
}

TEST(PagePointsTest, KnowsWhenAPointThatWasLeftOutWouldBeAPeak) {
  const int32_t n = 300;
  const DecisionGraph graph = EuclideanGraph(RandomBlobs(n, 2, 5, 7), 4.0);
  const PagePoints part = ChoosePagePoints(graph, {}, 40);
  std::vector<int32_t> left_out;
  for (int32_t i = 0; i < n; ++i) {
    if (!std::binary_search(part.ids.begin(), part.ids.end(), i)) {
      left_out.push_back(i);
    }
  }
  ASSERT_FALSE(left_out.empty());
  double gamma = 0;
  for (const int32_t i : left_out) {
    gamma = std::max(gamma, graph.densities[i] * graph.dependent_distances[i]);
  }
  EXPECT_EQ(part.left_out_gamma, gamma);
  for (int32_t rho = 0; rho < 80; ++rho) {
    for (double delta = 0; delta < 12; delta += 0.25) {
      const bool expected =
          std::any_of(left_out.begin(), left_out.end(), [&](int32_t i) {
            return graph.densities[i] >= rho &&
                   graph.dependent_distances[i] >= delta;
          });
      bool found = false;
      for (size_t k = 0; k < part.left_out_densities.size(); ++k) {
        found = found || (part.left_out_densities[k] >= rho &&
                          part.left_out_distances[k] >= delta);
      }
      ASSERT_EQ(found, expected) << rho << ", " << delta;
    }
    // Noise: points of smaller density.
    int32_t below = 0;
    for (const int32_t i : left_out) below += graph.densities[i] < rho;
    const size_t level = std::lower_bound(part.left_out_levels.begin(),
                                          part.left_out_levels.end(), rho) -
                         part.left_out_levels.begin();
    ASSERT_EQ(level == 0 ? 0 : part.left_out_counts[level - 1], below);
  }
}

TEST(PagePointsTest, HoldsThePeaksThatWereChosen) {
  const DecisionGraph graph = EuclideanGraph(RandomBlobs(300, 2, 5, 3), 4.0);
  const std::vector<int32_t> peaks = {7, 100, 201, 299};
  const PagePoints part = ChoosePagePoints(graph, peaks, 16);
  for (const int32_t peak : peaks) {
    EXPECT_TRUE(std::binary_search(part.ids.begin(), part.ids.end(), peak));
  }
}

}  // namespace
}  // namespace warpclust
