// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/column_scales.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/machine/threads.h"

namespace warpclust {

std::vector<ColumnScale> MeasureRanges(const PointMatrix& points,
                                       int num_threads) {
  // Rows that are worth a thread.
  constexpr int64_t kRowsPerThread = 1 << 14;
  const int32_t n = points.num_points;
  const size_t columns = static_cast<size_t>(points.num_dimensions);
  const int threads = ThreadsFor(n, kRowsPerThread, num_threads);
  const double* const first = points.Row(0);
  std::vector<double> least(first, first + columns), most = least;
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> low(first, first + columns), high = low;
#pragma omp for schedule(static)
    for (int32_t i = 0; i < n; ++i) {
      const double* const row = points.Row(i);
      for (size_t k = 0; k < columns; ++k) {
        low[k] = std::min(low[k], row[k]);
        high[k] = std::max(high[k], row[k]);
      }
    }
#pragma omp critical(warpclust_measure_ranges)
    for (size_t k = 0; k < columns; ++k) {
      least[k] = std::min(least[k], low[k]);
      most[k] = std::max(most[k], high[k]);
    }
  }
  std::vector<ColumnScale> scales(columns);
  for (size_t k = 0; k < columns; ++k) {
    scales[k].least = least[k];
    scales[k].range = most[k] - least[k];
  }
  return scales;
}

std::vector<ColumnScale> MeasureColumns(const PointMatrix& points,
                                        int num_threads) {
  std::vector<ColumnScale> scales = MeasureRanges(points, num_threads);
  const int32_t n = points.num_points;
  // Calls visit(k, x) with each coordinate, in units of the range, so that no
  // square overflows or vanishes. The order of a column is that of the points.
  const auto for_each = [&](auto visit) {
    for (int32_t i = 0; i < n; ++i) {
      const double* const row = points.Row(i);
      for (size_t k = 0; k < scales.size(); ++k) {
        if (scales[k].range == 0) continue;
        visit(k, (row[k] - scales[k].least) / scales[k].range);
      }
    }
  };
  std::vector<double> sums(scales.size(), 0), squares = sums;
  for_each([&](size_t k, double x) { sums[k] += x; });
  for (size_t k = 0; k < scales.size(); ++k) scales[k].mean = sums[k] / n;
  for_each([&](size_t k, double x) {
    const double away = x - scales[k].mean;
    squares[k] += away * away;
  });
  for (size_t k = 0; k < scales.size(); ++k) {
    scales[k].deviation = std::sqrt(squares[k] / n);
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
