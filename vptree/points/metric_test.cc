// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/metric.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr Metric kMetrics[] = {Metric::kEuclidean, Metric::kManhattan,
                               Metric::kChebyshev, Metric::kAngular,
                               Metric::kCosine};
constexpr double kPi = 3.14159265358979323846;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The key of the first two points.
double KeyOf(Metric metric, PointMatrix points) {
  const absl::Status status = PrepareForMetric(metric, &points);
  EXPECT_TRUE(status.ok()) << status;
  return DistanceKey(NormOfMetric(metric), points.Row(0), points.Row(1),
                     points.num_dimensions);
}

double Distance(Metric metric, PointMatrix points) {
  return DistanceOfKey(metric, KeyOf(metric, std::move(points)));
}

TEST(MetricTest, NamesRoundTrip) {
  for (Metric metric : kMetrics) {
    const absl::StatusOr<Metric> parsed = ParseMetric(MetricName(metric));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, metric);
  }
  EXPECT_EQ(MetricName(Metric::kEuclidean), "euclidean");
  for (const char* name : {"", "Euclidean", "euclidean ", "l2", "jaccard"}) {
    const absl::Status status = ParseMetric(name).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(
        absl::StrContains(status.message(), absl::StrCat("'", name, "'")))
        << status;
  }
}

TEST(MetricTest, Norms) {
  EXPECT_EQ(NormOfMetric(Metric::kEuclidean), Norm::kL2);
  EXPECT_EQ(NormOfMetric(Metric::kManhattan), Norm::kL1);
  EXPECT_EQ(NormOfMetric(Metric::kChebyshev), Norm::kLInf);
  EXPECT_EQ(NormOfMetric(Metric::kAngular), Norm::kL2);
  EXPECT_EQ(NormOfMetric(Metric::kCosine), Norm::kL2);
}

TEST(MetricTest, KnownDistances) {
  const PointMatrix points = {2, 2, {0, 0, 3, -4}};
  EXPECT_EQ(Distance(Metric::kEuclidean, points), 5);
  EXPECT_EQ(Distance(Metric::kManhattan, points), 7);
  EXPECT_EQ(Distance(Metric::kChebyshev, points), 4);

  const struct {
    std::vector<double> values;
    double angle;
  } cases[] = {
      {{1, 0, 0, 5}, kPi / 2},
      {{1, 0, -3, 0}, kPi},
      {{1, 1, 7, 7}, 0},
      {{1, 0, 1, 1}, kPi / 4},
      {{1, 0, 1, 1e-9}, 1e-9},
      {{1, 0, -1, std::sqrt(3)}, 2 * kPi / 3},
      {{1e150, 0, 0, 1e-300}, kPi / 2},
  };
  for (const auto& c : cases) {
    const PointMatrix pair = {2, 2, c.values};
    EXPECT_NEAR(Distance(Metric::kAngular, pair), c.angle,
                1e-15 + 1e-7 * (c.angle == kPi));
    EXPECT_NEAR(Distance(Metric::kCosine, pair), 1 - std::cos(c.angle), 1e-15);
  }
}

TEST(MetricTest, PreparationLeavesNormsAlone) {
  for (Metric metric :
       {Metric::kEuclidean, Metric::kManhattan, Metric::kChebyshev}) {
    PointMatrix points = {2, 2, {0, 0, 1e150, -5e-324}};
    const std::vector<double> before = points.values;
    ASSERT_TRUE(PrepareForMetric(metric, &points).ok());
    EXPECT_EQ(points.values, before);
  }
}

TEST(MetricTest, PreparedRowsHaveLengthOneAtAnyScale) {
  constexpr unsigned kSeed = 31;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, " round ", round));
    const int32_t d = 1 + random() % 20;
    PointMatrix plain = {1, d, {}};
    for (int32_t k = 0; k < d; ++k) {
      plain.values.push_back(
          std::ldexp(static_cast<double>(random() >> 11), -52) - 1);
    }
    if (plain.values == std::vector<double>(d, 0)) continue;
    PointMatrix scaled = plain;
    // Far from where squares overflow or vanish, and back.
    const int exponent = static_cast<int>(random() % 990) - 495;
    for (double& value : scaled.values) value = std::ldexp(value, exponent);
    const std::vector<double> original = plain.values;
    ASSERT_TRUE(PrepareForMetric(Metric::kAngular, &plain).ok());
    ASSERT_TRUE(PrepareForMetric(Metric::kCosine, &scaled).ok());
    // A power of two is no rounding: the very same direction.
    ASSERT_EQ(plain.values, scaled.values);
    long double length = 0, original_length = 0;
    for (int32_t k = 0; k < d; ++k) {
      length += static_cast<long double>(plain.values[k]) * plain.values[k];
      original_length += static_cast<long double>(original[k]) * original[k];
    }
    ASSERT_NEAR(static_cast<double>(length), 1, (d + 4) * 3e-16);
    for (int32_t k = 0; k < d; ++k) {
      ASSERT_NEAR(plain.values[k],
                  static_cast<double>(original[k] / sqrtl(original_length)),
                  1e-14);
    }
  }
}

TEST(MetricTest, ExtremeCoordinatesHaveADirection) {
  PointMatrix points = {4,
                        2,
                        {5e-324, 0, 1e150, 1e150,  //
                         -1e-310, 1e-310, 0, -1e150}};
  ASSERT_TRUE(PrepareForMetric(Metric::kAngular, &points).ok());
  const double half = std::sqrt(0.5);
  EXPECT_EQ(points.values[0], 1);
  EXPECT_EQ(points.values[1], 0);
  EXPECT_NEAR(points.values[2], half, 1e-15);
  EXPECT_NEAR(points.values[3], half, 1e-15);
  EXPECT_NEAR(points.values[4], -half, 1e-12);
  EXPECT_NEAR(points.values[5], half, 1e-12);
  EXPECT_EQ(points.values[7], -1);
}

TEST(MetricTest, BadPointsAreNamed) {
  for (Metric metric : {Metric::kAngular, Metric::kCosine}) {
    PointMatrix points = {3, 2, {1, 0, 0, -0.0, 0, 0}};
    const absl::Status status = PrepareForMetric(metric, &points);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StartsWith(status.message(), "point 1:")) << status;
  }
  for (Metric metric : kMetrics) {
    PointMatrix points = {1, 2, {1, kInfinity}};
    EXPECT_EQ(PrepareForMetric(metric, &points).code(),
              absl::StatusCode::kInvalidArgument);
    PointMatrix none;
    EXPECT_TRUE(PrepareForMetric(metric, &none).ok());
  }
}

TEST(MetricTest, KeysOfDistances) {
  for (Metric metric : kMetrics) {
    SCOPED_TRACE(std::string(MetricName(metric)));
    EXPECT_EQ(KeyOfDistance(metric, 0), 0);
    EXPECT_EQ(DistanceOfKey(metric, 0), 0);
    double last = -1;
    for (double distance = 1e-6; distance < 1.99; distance *= 1.01) {
      const double key = KeyOfDistance(metric, distance);
      EXPECT_GT(key, last);
      last = key;
      EXPECT_NEAR(DistanceOfKey(metric, key), distance, 1e-15 * distance * 8);
    }
  }
  EXPECT_EQ(KeyOfDistance(Metric::kEuclidean, 3), 9);
  EXPECT_EQ(KeyOfDistance(Metric::kManhattan, 3), 3);
  EXPECT_EQ(KeyOfDistance(Metric::kChebyshev, 3), 3);
  EXPECT_EQ(KeyOfDistance(Metric::kAngular, 3.2), kInfinity);
  EXPECT_EQ(KeyOfDistance(Metric::kAngular, kPi), 4);
  EXPECT_EQ(KeyOfDistance(Metric::kCosine, 2), 4);
  EXPECT_EQ(KeyOfDistance(Metric::kCosine, 2.1), kInfinity);
  // What rounding can put beyond the farthest is the farthest.
  EXPECT_EQ(DistanceOfKey(Metric::kAngular, 4.000001), kPi);
  EXPECT_EQ(DistanceOfKey(Metric::kCosine, 4.000001), 2);
}

}  // namespace
}  // namespace warpclust
