// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/points/metric.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"

namespace warpclust {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct NamedMetric {
  Metric metric;
  absl::string_view name;
};

constexpr NamedMetric kMetrics[] = {
    {Metric::kEuclidean, "euclidean"}, {Metric::kManhattan, "manhattan"},
    {Metric::kChebyshev, "chebyshev"}, {Metric::kAngular, "angular"},
    {Metric::kCosine, "cosine"},
};

// Scales by the largest magnitude first: squares of tiny or huge coordinates
// would leave the range of a double.
absl::Status ScaleToUnitLength(PointMatrix* points) {
  const int32_t dimensions = points->num_dimensions;
  for (int32_t point = 0; point < points->num_points; ++point) {
    double* row =
        points->values.data() + static_cast<int64_t>(point) * dimensions;
    double largest = 0;
    for (int32_t k = 0; k < dimensions; ++k) {
      largest = std::max(largest, std::fabs(row[k]));
    }
    if (largest == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "point ", point,
          ": expected a coordinate other than 0, found none; a point at the "
          "origin has no direction for the angular and cosine metrics"));
    }
    // A power of two, so that scaling is exact.
    const int exponent = -std::ilogb(largest);
    double squares = 0;
    for (int32_t k = 0; k < dimensions; ++k) {
      row[k] = std::scalbn(row[k], exponent);
      squares = std::fma(row[k], row[k], squares);
    }
    const double length = std::sqrt(squares);
    for (int32_t k = 0; k < dimensions; ++k) row[k] /= length;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Metric> ParseMetric(absl::string_view name) {
  for (const NamedMetric& named : kMetrics) {
    if (named.name == name) return named.metric;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a metric (euclidean, manhattan, chebyshev, angular, cosine), "
      "found '",
      name, "'"));
}

absl::string_view MetricName(Metric metric) {
  for (const NamedMetric& named : kMetrics) {
    if (named.metric == metric) return named.name;
  }
  return "";
}

bool IsByAngle(Metric metric) {
  return metric == Metric::kAngular || metric == Metric::kCosine;
}

Norm NormOfMetric(Metric metric) {
  switch (metric) {
    case Metric::kManhattan:
      return Norm::kL1;
    case Metric::kChebyshev:
      return Norm::kLInf;
    case Metric::kEuclidean:
    case Metric::kAngular:
    case Metric::kCosine:
      break;
  }
  return Norm::kL2;
}

absl::Status PrepareForMetric(Metric metric, PointMatrix* points,
                              int num_threads) {
  RETURN_IF_ERROR(points->Validate(num_threads));
  return IsByAngle(metric) ? ScaleToUnitLength(points) : absl::OkStatus();
}

double KeyOfDistance(Metric metric, double distance) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (metric) {
    case Metric::kEuclidean:
      return distance * distance;
    case Metric::kAngular: {
      if (distance > kPi) return kInfinity;
      const double half_chord = std::sin(distance / 2);
      return 4 * half_chord * half_chord;
    }
    case Metric::kCosine:
      return distance > 2 ? kInfinity : 2 * distance;
    case Metric::kManhattan:
    case Metric::kChebyshev:
      break;
  }
  return distance;
}

double DistanceOfKey(Metric metric, double key) {
  switch (metric) {
    case Metric::kEuclidean:
      return std::sqrt(key);
    case Metric::kAngular:
      return 2 * std::asin(std::min(1.0, std::sqrt(key) / 2));
    case Metric::kCosine:
      return std::min(2.0, key / 2);
    case Metric::kManhattan:
    case Metric::kChebyshev:
      break;
  }
  return key;
}

}  // namespace warpclust
