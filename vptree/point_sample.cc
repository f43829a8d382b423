// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/point_sample.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/numbers/random.h"

namespace warpclust {

PointMatrix DrawPointSample(const PointMatrix& points, int32_t count) {
  Random random(1);
  PointMatrix sample;
  sample.num_points = count;
  sample.num_dimensions = points.num_dimensions;
  sample.values.reserve(static_cast<size_t>(count) * points.num_dimensions);
  for (int32_t i = 0; i < count; ++i) {
    const int64_t begin = int64_t{points.num_points} * i / count;
    const int64_t end = int64_t{points.num_points} * (i + 1) / count;
    const double* row =
        points.Row(static_cast<int32_t>(begin + random.Below(end - begin)));
    sample.values.insert(sample.values.end(), row, row + points.num_dimensions);
  }
  return sample;
}

double GrownCount(double of_half, double of_sample, double growth,
                  double most_exponent) {
  if (of_half <= 0 || of_sample <= 0) return of_sample;
  return of_sample * std::pow(growth, std::clamp(std::log2(of_sample / of_half),
                                                 0.0, most_exponent));
}

}  // namespace warpclust
