// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PlaneCoordinates: where a decision page draws each point: two dimensions as
// they are; more by their first two principal components; one against density.
//
// Cost and determinism: as principal_components.h. Thread-safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PLANE_COORDINATES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PLANE_COORDINATES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "vptree/points/point_matrix.h"

namespace warpclust {

struct PlaneAxis {
  std::string label;
  // Of the values along the axis.
  double min = 0;
  double max = 0;
};

struct PlaneCoordinates {
  PlaneAxis x_axis;
  PlaneAxis y_axis;
  // In [0, 1] from the axis' min to its max, 0.5 if these are equal: floats
  // keep the digits that a drawing needs wherever the data lies.
  std::vector<float> x;
  std::vector<float> y;
};

// Of the points `ids`. `points` must be valid and not empty, `densities` one
// number a point.
PlaneCoordinates FindPlaneCoordinates(const PointMatrix& points,
                                      const std::vector<int32_t>& densities,
                                      const std::vector<int32_t>& ids);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PLANE_COORDINATES_H_
