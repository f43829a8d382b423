// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/cuda/testing/tensor_points.h"

#include <cmath>
#include <cstdint>

#include "base/numbers/random.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

double Coordinate(TensorPoints kind, int32_t point, int32_t k, Random& random) {
  switch (kind) {
    case TensorPoints::kBytes:
      return static_cast<double>(random.Below(256));
    case TensorPoints::kBits:
      return static_cast<double>(random.Below(2));
    case TensorPoints::kIntegers:
      return static_cast<double>(random.Below(2001)) - 1000;
    case TensorPoints::kNormal:
      return random.Normal();
    case TensorPoints::kClusters:
      return random.Normal() + 30 * ((point % 5 * 7 + k) % 3);
    case TensorPoints::kOffset:
      return 1e9 + 1e-3 * random.Normal();
    case TensorPoints::kTiny:
      return 1e-160 * random.Normal();
    case TensorPoints::kSubnormal:
      return 1e-310 * random.Normal();
    case TensorPoints::kRanges:
      return random.Unit() * std::pow(10.0, k % 10);
    case TensorPoints::kOutlier:
      return random.Normal() * (point == 3 ? 1e6 : 1.0);
    case TensorPoints::kDuplicates:
      return static_cast<double>((point % 7) * (k % 3));
    case TensorPoints::kEqual:
      return 0.1;
    case TensorPoints::kCorners:
      return point % 64 == k ? 1.0 : 0.0;
    case TensorPoints::kLarge:
      return 1e150 * (2 * random.Unit() - 1);
  }
  return 0;
}

}  // namespace

PointMatrix MakeTensorPoints(TensorPoints kind, int32_t n, int32_t d,
                             uint64_t seed) {
  Random random(seed);
  PointMatrix points;
  points.num_points = n;
  points.num_dimensions = d;
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t k = 0; k < d; ++k) {
      points.values.push_back(Coordinate(kind, i, k, random));
    }
  }
  return points;
}

}  // namespace warpclust
