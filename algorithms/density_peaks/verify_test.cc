// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/verify.h"

#include <string>

#include "absl/strings/match.h"
#include "algorithms/density_peaks/testing/density_peaks_oracle.h"
#include "gtest/gtest.h"

namespace warpclust {
namespace {

constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                               Metric::kChebyshev, Metric::kAngular,
                               Metric::kCosine};

TEST(VerifyTest, TheDefinitionPasses) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Metric metric = kMetrics[seed % 5];
    PointMatrix points = RandomPoints(seed);
    ASSERT_TRUE(PrepareForMetric(metric, &points).ok());
    const DecisionGraph graph =
        NaiveDecisionGraph(points, metric, RandomCutoff(points, metric, seed));
    for (const int32_t count : {-1, 0, 10, 1000}) {
      const absl::Status status =
          VerifySample(points, metric, graph, count, seed, 1 + seed % 3);
      EXPECT_TRUE(status.ok()) << "seed " << seed << ": " << status;
    }
  }
}

// Ten points on a line, 0, 1, 4, 9, ...: densities and neighbors are easy to
// see.
class VerifyOnALineTest : public testing::Test {
 protected:
  VerifyOnALineTest() {
    points_.num_points = 10;
    points_.num_dimensions = 1;
    for (int i = 0; i < 10; ++i) points_.values.push_back(i * i);
    good_ = NaiveDecisionGraph(points_, Metric::kEuclidean, 6);
  }

  std::string Message(const DecisionGraph& graph, int32_t count = 10) {
    const absl::Status status =
        VerifySample(points_, Metric::kEuclidean, graph, count, 1, 2);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
    return std::string(status.message());
  }

  PointMatrix points_;
  DecisionGraph good_;
};

TEST_F(VerifyOnALineTest, NamesTheFirstWrongPoint) {
  // Point 2 has 0, 1 and 9 within 6; it is the first of its density.
  ASSERT_EQ(good_.densities[2], 3);
  ASSERT_EQ(good_.dependent_points[2], -1);
  ASSERT_EQ(good_.dependent_distances[2], 77);
  DecisionGraph bad = good_;
  bad.densities[7] = 1;
  EXPECT_EQ(Message(bad),
            "verification failed: point 7: expected density 0, found 1");
  bad = good_;
  ASSERT_EQ(bad.dependent_points[5], 4);
  bad.dependent_points[5] = 2;
  bad.dependent_points[8] = 2;
  EXPECT_EQ(
      Message(bad),
      "verification failed: point 5: expected dependent point 4, found 2");
  bad = good_;
  bad.dependent_distances[6] += 0.5;
  EXPECT_TRUE(absl::StartsWith(
      Message(bad),
      "verification failed: point 6: expected dependent distance"))
      << Message(bad);
  // The point of rank 0 is always checked.
  bad = good_;
  bad.dependent_distances[2] = 60;
  EXPECT_EQ(Message(bad, 0),
            "verification failed: point 2: expected dependent distance 77, "
            "found 60");
}

TEST_F(VerifyOnALineTest, AnotherGraphIsRefused) {
  DecisionGraph shorter = good_;
  shorter.densities.pop_back();
  EXPECT_EQ(VerifySample(points_, Metric::kEuclidean, shorter, 3, 1, 1).code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace warpclust
