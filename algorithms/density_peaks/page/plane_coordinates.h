// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PlaneCoordinates: where a decision page draws each point. Two dimensions are
// drawn as they are, more by their first two principal components, one against
// the density.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PLANE_COORDINATES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PLANE_COORDINATES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "vptree/points/point_matrix.h"

namespace warpclust {

struct PlaneAxis {
  std::string label;
  // The range of the values along the axis.
  double min = 0;
  double max = 0;
};

struct PlaneCoordinates {
  PlaneAxis x_axis;
  PlaneAxis y_axis;
  // In [0, 1], from the min of the axis to its max, 0.5 if these are equal: so
  // floats keep the digits that a drawing needs for data anywhere.
  std::vector<float> x;
  std::vector<float> y;
};

// The coordinates of the points `ids`. `points` must be valid and not empty;
// `densities` has one number per point.
PlaneCoordinates FindPlaneCoordinates(const PointMatrix& points,
                                      const std::vector<int32_t>& densities,
                                      const std::vector<int32_t>& ids);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PLANE_COORDINATES_H_
