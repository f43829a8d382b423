// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/testing/hard_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

PointMatrix MakePoints(PointKind kind, int32_t n, int32_t d,
                       TestRandom* random) {
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int32_t i = 0; i < n; ++i) {
    const double along = uniform(*random);
    for (int32_t k = 0; k < d; ++k) {
      const double u = uniform(*random);
      double x = u;
      switch (kind) {
        case PointKind::kUniform:
          break;
        case PointKind::kLattice:
          x = std::floor(3 * u);
          break;
        case PointKind::kDuplicates:
          x = along < 0.8 ? 7.0 : u;
          break;
        case PointKind::kEqual:
          x = 2.5;
          break;
        case PointKind::kLine:
          x = (k + 1) * along;
          break;
        case PointKind::kSkewed:
          x = k == 0 ? 1e9 * std::exp(8 * u) : 1e-3 * u;
          break;
      }
      points.values.push_back(x);
    }
  }
  return points;
}

std::vector<int32_t> MakeRanks(int32_t n, TestRandom* random) {
  std::vector<int32_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::shuffle(ranks.begin(), ranks.end(), *random);
  return ranks;
}

double KeyBetween(const PointMatrix& points, Norm norm, int32_t i, int32_t j) {
  return DistanceKey(norm, points.Row(i), points.Row(j), points.num_dimensions);
}

double MakeRadiusKey(const PointMatrix& points, Norm norm, TestRandom* random) {
  if (points.num_points == 0) return 1;
  std::uniform_int_distribution<int32_t> point(0, points.num_points - 1);
  const double key = KeyBetween(points, norm, point(*random), point(*random));
  const double factors[] = {
      0, 0.01, 0.1, 1, 1, 1, 2, std::numeric_limits<double>::infinity()};
  const double factor = factors[(*random)() % 8];
  return key > 0 ? key * factor : factor;
}

}  // namespace warpclust
