// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A cutoff distance for benchmarks: a quantile of the Euclidean distances of
// 500,000 random pairs. Seeded; the same everywhere.

#ifndef WARPCLUST_VPTREE_BENCHMARKS_DISTANCE_QUANTILE_H_
#define WARPCLUST_VPTREE_BENCHMARKS_DISTANCE_QUANTILE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/numbers/random.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

inline double DistanceQuantile(const PointMatrix& points, double fraction) {
  Random random(7);
  const auto row = [&] {
    return points.Row(static_cast<int32_t>(random.Below(points.num_points)));
  };
  std::vector<double> keys(500000);
  for (double& key : keys) {
    key = DistanceKey(Norm::kL2, row(), row(), points.num_dimensions);
  }
  const auto at = keys.begin() + static_cast<int64_t>(keys.size() * fraction);
  std::nth_element(keys.begin(), at, keys.end());
  return std::sqrt(*at);
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BENCHMARKS_DISTANCE_QUANTILE_H_
