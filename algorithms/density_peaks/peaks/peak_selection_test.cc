// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/peaks/peak_selection.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/numbers/random.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

using Rule = PeakSelection::Rule;

// Gammas 20 (delta of the first capped at 4), 12, 2, 2, 0.
DecisionGraph Worked() {
  DecisionGraph graph;
  graph.densities = {2, 3, 5, 4, 0};
  graph.dependent_points = {1, 2, -1, 2, 3};
  graph.dependent_distances = {1, 4, 9, 0.5, 3};
  return graph;
}

std::vector<int32_t> Peaks(const DecisionGraph& graph,
                           const PeakSelection& rule) {
  const absl::StatusOr<std::vector<int32_t>> peaks = SelectPeaks(graph, rule);
  EXPECT_TRUE(peaks.ok()) << peaks.status();
  return peaks.ok() ? *peaks : std::vector<int32_t>();
}

TEST(PeakSelectionTest, GammasCapTheFirst) {
  EXPECT_EQ(Gammas(Worked()), (std::vector<double>{2, 12, 20, 2, 0}));
  DecisionGraph one;
  one.densities = {0};
  one.dependent_points = {-1};
  one.dependent_distances = {0};
  EXPECT_EQ(Gammas(one), std::vector<double>{0});
}

TEST(PeakSelectionTest, Count) {
  const std::vector<int32_t> by_gamma = {2, 1, 3, 0, 4};
  for (int32_t count = 1; count <= 5; ++count) {
    EXPECT_EQ(Peaks(Worked(), {.rule = Rule::kCount, .count = count}),
              std::vector<int32_t>(by_gamma.begin(), by_gamma.begin() + count));
  }
  const absl::Status status =
      SelectPeaks(Worked(), {.rule = Rule::kCount, .count = 6}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("at most 5"), absl::string_view::npos);
  EXPECT_FALSE(SelectPeaks(Worked(),
                           {.rule = Rule::kCount, .count = 4, .density_min = 3})
                   .ok());
}

// Other programs write 0, or some other number, as the delta of the first
// point.
TEST(PeakSelectionTest, TheFirstIsAPeakWhateverItsDelta) {
  DecisionGraph graph;
  graph.densities = {1, 2, 1, 1};
  graph.dependent_points = {1, -1, 1, 2};
  graph.dependent_distances = {5, 0, 4, 3};
  ASSERT_TRUE(graph.Validate().ok());
  EXPECT_EQ(Peaks(graph, {.rule = Rule::kCount, .count = 1}),
            std::vector<int32_t>{1});
  EXPECT_EQ(Peaks(graph, {.rule = Rule::kCount, .count = 3}),
            (std::vector<int32_t>{1, 0, 2}));
  EXPECT_EQ(Peaks(graph, {}).front(), 1);
  EXPECT_EQ(Peaks(graph, {.rule = Rule::kGamma, .gamma_min = 4}),
            (std::vector<int32_t>{1, 0, 2}));
}

TEST(PeakSelectionTest, Thresholds) {
  PeakSelection rule = {.rule = Rule::kThresholds};
  EXPECT_EQ(Peaks(Worked(), rule), (std::vector<int32_t>{2, 1, 3, 0, 4}));
  rule.delta_min = 1;
  EXPECT_EQ(Peaks(Worked(), rule), (std::vector<int32_t>{2, 1, 0, 4}));
  rule.density_min = 2;
  EXPECT_EQ(Peaks(Worked(), rule), (std::vector<int32_t>{2, 1, 0}));
  rule.density_min = 3;
  EXPECT_EQ(Peaks(Worked(), rule), (std::vector<int32_t>{2, 1}));
  // No point passes, but the first one is always a peak.
  rule = {.rule = Rule::kThresholds, .density_min = 6, .delta_min = 10};
  EXPECT_EQ(Peaks(Worked(), rule), (std::vector<int32_t>{2}));
}

TEST(PeakSelectionTest, Gamma) {
  PeakSelection rule = {.rule = Rule::kGamma};
  rule.gamma_min = 2;
  EXPECT_EQ(Peaks(Worked(), rule), (std::vector<int32_t>{2, 1, 3, 0}));
  rule.density_min = 4;
  EXPECT_EQ(Peaks(Worked(), rule), (std::vector<int32_t>{2, 3}));
  rule.gamma_min = 100;
  EXPECT_EQ(Peaks(Worked(), rule), (std::vector<int32_t>{2}));
}

// A graph of n points with these gammas, descending; the rest have gamma 1.
DecisionGraph WithGammas(int32_t n, const std::vector<double>& gammas) {
  DecisionGraph graph;
  for (int32_t i = 0; i < n; ++i) {
    graph.densities.push_back(1);
    graph.dependent_points.push_back(i - 1);
    graph.dependent_distances.push_back(
        i < static_cast<int32_t>(gammas.size()) ? gammas[i] : 1);
  }
  return graph;
}

TEST(PeakSelectionTest, AutomaticIsTheLargestDrop) {
  const PeakSelection rule;
  EXPECT_EQ(Peaks(WithGammas(100, {90, 90, 80, 70, 3, 2}), rule).size(), 4);
  // Equal drops: the first. The first point counts with the second's delta.
  EXPECT_EQ(Peaks(WithGammas(100, {90, 8, 4, 2}), rule).size(), 2);
  // Up to sqrt(n) gammas are considered: 5 of 25, not of 24.
  EXPECT_EQ(Peaks(WithGammas(25, {9, 9, 9, 9, 8}), rule).size(), 5);
  EXPECT_EQ(Peaks(WithGammas(24, {9, 9, 9, 9, 8}), rule).size(), 4);
  // A drop to 0 is the largest.
  std::vector<double> gammas(100, 0);
  gammas[0] = gammas[1] = 100;
  gammas[2] = 1;
  EXPECT_EQ(Peaks(WithGammas(100, gammas), rule).size(), 3);
  // All gammas are equal.
  EXPECT_EQ(Peaks(WithGammas(100, {}), rule), (std::vector<int32_t>{0}));
  EXPECT_EQ(Peaks(WithGammas(100, std::vector<double>(100, 0)), rule),
            (std::vector<int32_t>{0}));
  EXPECT_EQ(Peaks(WithGammas(1, {0}), rule), (std::vector<int32_t>{0}));
  EXPECT_EQ(Peaks(WithGammas(2, {1, 1}), rule), (std::vector<int32_t>{0}));
  EXPECT_TRUE(Peaks(DecisionGraph(), rule).empty());
}

// The best of all candidates, by sorting all.
std::vector<int32_t> BestOfAll(const DecisionGraph& graph, int32_t density_min,
                               int64_t needed) {
  const std::vector<double> gammas = Gammas(graph);
  std::vector<int32_t> points;
  for (int32_t i = 0; i < graph.num_points(); ++i) {
    if (graph.dependent_points[i] < 0 || graph.densities[i] >= density_min) {
      points.push_back(i);
    }
  }
  std::sort(points.begin(), points.end(), [&](int32_t a, int32_t b) {
    if (graph.dependent_points[a] < 0 || graph.dependent_points[b] < 0) {
      return graph.dependent_points[a] < graph.dependent_points[b];
    }
    if (gammas[a] != gammas[b]) return gammas[a] > gammas[b];
    if (graph.densities[a] != graph.densities[b]) {
      return graph.densities[a] > graph.densities[b];
    }
    return a < b;
  });
  points.resize(std::min<size_t>(points.size(), needed));
  return points;
}

// So many points that a sample says which gammas matter, rightly or wrongly.
TEST(PeakSelectionTest, SamplesDoNotShow) {
  constexpr int32_t kPoints = 100'000;
  enum Kind { kRandom, kFew, kAscending, kSampledAreLarge, kMostAreZero, kEnd };
  for (int kind = kRandom; kind < kEnd; ++kind) {
    Random random(kind);
    DecisionGraph graph;
    for (int32_t i = 0; i < kPoints; ++i) {
      // As the sample is drawn.
      const int64_t s = (int64_t{i} * (1 << 14) + kPoints - 1) / kPoints;
      const bool is_sampled = s * kPoints / (1 << 14) == i;
      const double delta = kind == kAscending         ? 0.001 * i
                           : kind == kSampledAreLarge ? (is_sampled ? 9.0 : 1.0)
                           : kind == kFew ? static_cast<double>(random.Below(3))
                                          : random.Unit();
      const bool is_zero = kind == kMostAreZero && random.Below(9999) > 0;
      graph.densities.push_back(
          is_zero ? 0 : static_cast<int32_t>(random.Below(40)));
      graph.dependent_points.push_back(i == 70'000 ? -1 : 0);
      graph.dependent_distances.push_back(delta);
    }
    for (const int64_t needed :
         {int64_t{1}, int64_t{300}, int64_t{6000}, int64_t{50'000}}) {
      for (const int32_t density_min : {0, 20, 39, 40}) {
        for (const int num_threads : {1, 3}) {
          SCOPED_TRACE(testing::Message() << "kind " << kind << ", " << needed
                                          << " needed of " << density_min);
          PeakSelection rule;
          rule.density_min = density_min;
          const internal::PeakCandidates found = internal::FindPeakCandidates(
              graph, internal::LargestDelta(graph, 1), rule, needed,
              num_threads);
          std::vector<int32_t> points;
          for (const internal::PeakCandidate& candidate : found.best) {
            points.push_back(candidate.point);
          }
          EXPECT_EQ(points, BestOfAll(graph, density_min, needed));
          EXPECT_EQ(found.count,
                    static_cast<int64_t>(
                        BestOfAll(graph, density_min, kPoints).size()));
        }
      }
    }
  }
}

TEST(PeakSelectionTest, AGraphHasNoSaddles) {
  const absl::Status status =
      SelectPeaks(Worked(), {.rule = Rule::kSignificance}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("call DensityPeaks"),
            absl::string_view::npos);
}

TEST(PeakSelectionTest, FieldsOutOfRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(PeakSelection({.rule = Rule::kCount}).Validate().ok());
  EXPECT_FALSE(PeakSelection({.density_min = -1}).Validate().ok());
  EXPECT_FALSE(PeakSelection({.rule = Rule::kThresholds, .delta_min = -1})
                   .Validate()
                   .ok());
  EXPECT_FALSE(PeakSelection({.rule = Rule::kThresholds, .delta_min = nan})
                   .Validate()
                   .ok());
  EXPECT_FALSE(
      PeakSelection({.rule = Rule::kGamma, .gamma_min = nan}).Validate().ok());
  const absl::Status status =
      SelectPeaks(Worked(), {.rule = Rule::kGamma, .gamma_min = -2}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("gamma_min: expected at least 0, found -2"),
            absl::string_view::npos);
}

}  // namespace
}  // namespace warpclust
