// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/column_scales.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warpclust {

std::vector<ColumnScale> MeasureColumns(const PointMatrix& points) {
  const int32_t n = points.num_points;
  std::vector<ColumnScale> scales(static_cast<size_t>(points.num_dimensions));
  for (int32_t k = 0; k < points.num_dimensions; ++k) {
    ColumnScale& scale = scales[static_cast<size_t>(k)];
    double least = points.Row(0)[k], most = least;
    for (int32_t i = 1; i < n; ++i) {
      least = std::min(least, points.Row(i)[k]);
      most = std::max(most, points.Row(i)[k]);
    }
    scale.least = least;
    scale.range = most - least;
    if (scale.range == 0) continue;
    // In units of the range, so that no square overflows or vanishes.
    double sum = 0;
    for (int32_t i = 0; i < n; ++i) {
      sum += (points.Row(i)[k] - least) / scale.range;
    }
    scale.mean = sum / n;
    double squares = 0;
    for (int32_t i = 0; i < n; ++i) {
      const double x = (points.Row(i)[k] - least) / scale.range - scale.mean;
      squares += x * x;
    }
    scale.deviation = std::sqrt(squares / n);
  }
  return scales;
}

void Standardize(const std::vector<ColumnScale>& scales, PointMatrix* points) {
  const size_t columns = scales.size();
  for (size_t i = 0; i < points->values.size(); ++i) {
    const ColumnScale& scale = scales[i % columns];
    double& x = points->values[i];
    x = scale.range == 0
            ? 0
            : ((x - scale.least) / scale.range - scale.mean) / scale.deviation;
  }
}

UnlikeColumns FindUnlikeColumns(const std::vector<ColumnScale>& scales) {
  UnlikeColumns found;
  double small = 0, large = 0;
  for (size_t k = 0; k < scales.size(); ++k) {
    const double range = scales[k].range;
    if (range == 0) continue;
    if (small == 0 || range < small) {
      small = range;
      found.small = static_cast<int32_t>(k);
    }
    if (range > large) {
      large = range;
      found.large = static_cast<int32_t>(k);
    }
  }
  if (small > 0) found.ratio = large / small;
  return found;
}

}  // namespace warpclust
