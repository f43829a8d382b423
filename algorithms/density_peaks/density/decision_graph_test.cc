// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <limits>

#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                               Metric::kChebyshev, Metric::kAngular,
                               Metric::kCosine};

TEST(DecisionGraphCpuTest, EqualsTheDefinition) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Metric metric = kMetrics[seed % 5];
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    PointMatrix points = RandomPoints(seed);
    ASSERT_TRUE(PrepareForMetric(metric, &points).ok());
    const double distance = RandomCutoff(points, metric, seed);
    const NaiveIndex index(points, NormOfMetric(metric));
    DecisionGraphStart start;
    absl::StatusOr<DecisionGraphRun> run =
        DecisionGraphCpu(index, metric, distance, &start, 1);
    ASSERT_TRUE(run.ok()) << run.status();
    TakeDependents(start.nearest, 1 + seed % 2, &*run);
    EXPECT_EQ(run->index, "naive");
    // Where the search has no answer the key is infinite, and filled in later.
    const int32_t top =
        static_cast<int32_t>(std::find(run->dependent_points.begin(),
                                       run->dependent_points.end(), -1) -
                             run->dependent_points.begin());
    EXPECT_EQ(run->dependent_keys[top],
              std::numeric_limits<double>::infinity());
    const DecisionGraph expected = NaiveDecisionGraph(points, metric, distance);
    if (seed % 2 == 0) {
      run->dependent_keys[top] =
          LargestKey(points, NormOfMetric(metric), points.Row(top), 1);
    }
    EXPECT_EQ(FinishDecisionGraph(points, metric, distance, 1 + seed % 3,
                                  *std::move(run)),
              expected);
    EXPECT_TRUE(expected.Validate().ok()) << expected.Validate();
  }
}

class FailingIndex : public NaiveIndex {
 public:
  FailingIndex(const PointMatrix& points, bool in_count)
      : NaiveIndex(points, Norm::kL2), in_count_(in_count) {}
  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override {
    if (in_count_) return absl::ResourceExhaustedError("count");
    return NaiveIndex::CountWithin(radius_key, counts);
  }
  absl::Status NearestOfHigherRank(absl::Span<const int32_t>,
                                   absl::Span<NearestPoint>) const override {
    return absl::ResourceExhaustedError("nearest");
  }

 private:
  const bool in_count_;
};

TEST(DecisionGraphCpuTest, PassesErrorsOn) {
  const PointMatrix points = RandomPoints(1);
  DecisionGraphStart start;
  EXPECT_EQ(DecisionGraphCpu(FailingIndex(points, true), Metric::kEuclidean, 1,
                             &start, 1)
                .status()
                .message(),
            "count");
  EXPECT_EQ(DecisionGraphCpu(FailingIndex(points, false), Metric::kEuclidean, 1,
                             &start, 1)
                .status()
                .message(),
            "nearest");
}

TEST(DecisionGraphTest, ValidateNamesTheWrongPoint) {
  DecisionGraph good;
  good.densities = {1, 2, 1};
  good.dependent_points = {1, -1, 0};
  good.dependent_distances = {1, 5, 2};
  EXPECT_TRUE(good.Validate().ok()) << good.Validate();
  EXPECT_TRUE(DecisionGraph().Validate().ok());
  const auto message = [](const DecisionGraph& graph) {
    EXPECT_EQ(graph.Validate().code(), absl::StatusCode::kInvalidArgument);
    return std::string(graph.Validate().message());
  };
  DecisionGraph bad = good;
  bad.dependent_points = {1, -1};
  EXPECT_NE(message(bad).find("arrays of one length"), std::string::npos);
  bad = good;
  bad.densities[2] = 3;
  EXPECT_NE(message(bad).find("point 2"), std::string::npos);
  bad = good;
  bad.densities[0] = -1;
  EXPECT_NE(message(bad).find("point 0"), std::string::npos);
  bad = good;
  bad.dependent_distances[1] = std::numeric_limits<double>::infinity();
  EXPECT_NE(message(bad).find("point 1"), std::string::npos);
  for (const int32_t dependent : {-2, 2, 3}) {
    bad = good;
    bad.dependent_points[2] = dependent;
    EXPECT_NE(message(bad).find("point 2: expected a dependent point"),
              std::string::npos);
  }
  bad = good;
  bad.dependent_points[0] = 2;  // Equal density, but a larger id.
  EXPECT_NE(message(bad).find("point 0"), std::string::npos);
  bad = good;
  bad.dependent_points[0] = -1;
  EXPECT_NE(message(bad).find("one point without"), std::string::npos);
}

}  // namespace
}  // namespace warpclust
