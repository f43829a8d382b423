// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Points for benchmarks: a mixture of 50 Gaussians of unequal spread in the
// unit cube, whatever the number of points, so that growth can be measured on
// one distribution (the paper's Figure 9). Seeded; the same everywhere.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_BENCHMARK_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_BENCHMARK_POINTS_H_

#include <cstdint>
#include <vector>

#include "base/numbers/random.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

inline PointMatrix MixtureOfGaussians(int32_t num_points,
                                      int32_t num_dimensions) {
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

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_BENCHMARKS_BENCHMARK_POINTS_H_
