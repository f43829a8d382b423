// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/testing/filter_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/numbers/random.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

PointMatrix MakeFilterPoints(FilterPoints kind, int32_t n, int32_t d,
                             Random* random) {
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  std::vector<double> loadings(3 * static_cast<size_t>(d));
  for (double& loading : loadings) loading = random->Normal();
  for (int32_t i = 0; i < n; ++i) {
    const double along = random->Unit();
    const double factors[] = {random->Normal(), random->Normal(),
                              random->Normal()};
    const double cluster = static_cast<double>(random->Below(4));
    for (int32_t k = 0; k < d; ++k) {
      const double u = random->Unit();
      double x = u;
      switch (kind) {
        case FilterPoints::kUniform:
          break;
        case FilterPoints::kClusters:
          x = 50 * cluster + u;
          break;
        case FilterPoints::kLattice:
          x = std::floor(3 * u);
          break;
        case FilterPoints::kDuplicates:
          x = along < 0.8 ? 7.0 : u;
          break;
        case FilterPoints::kEqual:
          x = 2.5;
          break;
        case FilterPoints::kFewFactors:
          x = 1e-3 * u;
          for (int f = 0; f < 3; ++f) x += factors[f] * loadings[3 * k + f];
          break;
        case FilterPoints::kImages:
          x = 100 + u;
          for (int f = 0; f < 3; ++f)
            x += 20 * factors[f] * loadings[3 * k + f];
          x = std::floor(std::clamp(x, 0.0, 255.0)) / 8 - (k % 2 == 0 ? 16 : 0);
          break;
        case FilterPoints::kMixedScales:
          x = k % 2 == 0 ? std::floor(7e8 * along * along * along) : u;
          break;
        case FilterPoints::kFarPairs:
          x = 1e12 * cluster + u;
          break;
        case FilterPoints::kTiny:
          x = 1e-160 * u;
          break;
        case FilterPoints::kSmall:
          x = 1e-100 * u;
          break;
        case FilterPoints::kHuge:
          x = 1e150 * (2 * u - 1);
          break;
      }
      points.values.push_back(x);
    }
  }
  return points;
}

PointMatrix BehindOthers(const PointMatrix& points, int32_t begin, int32_t end,
                         int32_t num_others, Random* random) {
  PointMatrix result;
  result.num_points = num_others + end - begin;
  result.num_dimensions = points.num_dimensions;
  for (int32_t i = 0; i < num_others; ++i) {
    const double* const row =
        points.Row(static_cast<int32_t>(random->Below(points.num_points)));
    for (int32_t k = 0; k < points.num_dimensions; ++k) {
      result.values.push_back(row[k] * (0.5 + random->Unit()));
    }
  }
  result.values.insert(result.values.end(), points.Row(begin), points.Row(end));
  return result;
}

}  // namespace warpclust
