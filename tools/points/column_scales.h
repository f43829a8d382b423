// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ColumnScales: how far the coordinates of points reach, column by column. Use
// it to bring columns of unlike units to one scale (--standardize).
//
//   const ColumnScales scales = MeasureColumns(points);
//   Standardize(scales, &points);
//
// Cost: linear.

#ifndef WARPCLUST_TOOLS_POINTS_COLUMN_SCALES_H_
#define WARPCLUST_TOOLS_POINTS_COLUMN_SCALES_H_

#include <cstdint>
#include <vector>

#include "vptree/points/point_matrix.h"

namespace warpclust {

struct ColumnScale {
  double least = 0;
  double range = 0;
  // Of (x - least) / range; 0 for a column of equal values.
  double mean = 0;
  double deviation = 0;
};

// One per column. `points` has at least one point, within kLargestCoordinate.
// `num_threads` 0 means all cores; it never changes the result.
std::vector<ColumnScale> MeasureColumns(const PointMatrix& points,
                                        int num_threads = 0);

// The same without means and deviations, which stay 0.
std::vector<ColumnScale> MeasureRanges(const PointMatrix& points,
                                       int num_threads = 0);

// Shifts and scales each column of `points` as the one that was measured gets a
// mean of 0 and a standard deviation of 1. A column of equal values becomes 0.
void Standardize(const std::vector<ColumnScale>& scales, PointMatrix* points);

// The columns with the smallest and the largest range above 0, and how many
// times larger that is. A ratio of 1 if there are no two.
struct UnlikeColumns {
  int32_t small = 0;
  int32_t large = 0;
  double ratio = 1;
};
UnlikeColumns FindUnlikeColumns(const std::vector<ColumnScale>& scales);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_POINTS_COLUMN_SCALES_H_
