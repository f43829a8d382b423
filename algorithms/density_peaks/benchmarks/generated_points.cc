// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/benchmarks/generated_points.h"

#include <cmath>
#include <vector>

#include "base/numbers/random.h"

namespace warpclust {

PointMatrix MixtureOfGaussians(int32_t num_points, int32_t num_dimensions) {
  constexpr int32_t kComponents = 50;
  Random random(1);
  std::vector<double> centers;
  std::vector<double> spreads;
  for (int32_t c = 0; c < kComponents; ++c) {
    spreads.push_back(0.005 + 0.03 * random.Unit());
    for (int32_t k = 0; k < num_dimensions; ++k) {
      centers.push_back(random.Unit());
    }
  }
  PointMatrix points;
  points.num_points = num_points;
  points.num_dimensions = num_dimensions;
  points.values.reserve(int64_t{num_points} * num_dimensions);
  for (int32_t i = 0; i < num_points; ++i) {
    const auto c = static_cast<int32_t>(random.Below(kComponents));
    for (int32_t k = 0; k < num_dimensions; ++k) {
      points.values.push_back(centers[c * num_dimensions + k] +
                              spreads[c] * random.Normal());
    }
  }
  return points;
}

PointMatrix UniformPoints(int32_t num_points, int32_t num_dimensions) {
  Random random(1);
  PointMatrix points;
  points.num_points = num_points;
  points.num_dimensions = num_dimensions;
  points.values.reserve(int64_t{num_points} * num_dimensions);
  for (int64_t i = 0; i < int64_t{num_points} * num_dimensions; ++i) {
    points.values.push_back(random.Unit());
  }
  return points;
}

PointMatrix CurvedSurface(int32_t num_points, int32_t num_dimensions) {
  const PointMatrix flat = MixtureOfGaussians(num_points, kSurfaceDimensions);
  Random random(3);
  // A wave for each dimension: its direction, then its phase.
  std::vector<double> waves;
  for (int32_t k = 0; k < num_dimensions; ++k) {
    for (int32_t j = 0; j < kSurfaceDimensions; ++j) {
      waves.push_back(2 * random.Normal());
    }
    waves.push_back(6.283185307179586 * random.Unit());
  }
  PointMatrix points;
  points.num_points = num_points;
  points.num_dimensions = num_dimensions;
  points.values.reserve(int64_t{num_points} * num_dimensions);
  for (int32_t i = 0; i < num_points; ++i) {
    const double* row = flat.Row(i);
    for (int32_t k = 0; k < num_dimensions; ++k) {
      const double* wave = &waves[int64_t{k} * (kSurfaceDimensions + 1)];
      double angle = wave[kSurfaceDimensions];
      for (int32_t j = 0; j < kSurfaceDimensions; ++j)
        angle += wave[j] * row[j];
      points.values.push_back(std::sin(angle));
    }
  }
  return points;
}

}  // namespace warpclust
