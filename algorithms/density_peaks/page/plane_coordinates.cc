// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/page/plane_coordinates.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "algorithms/density_peaks/page/principal_components.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// Fills an axis and its normalized coordinates.
void Normalize(absl::string_view label, const std::vector<double>& values,
               PlaneAxis* axis, std::vector<float>* normalized) {
  axis->label = std::string(label);
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  axis->min = *min;
  axis->max = *max;
  const double extent = axis->max - axis->min;
  normalized->reserve(values.size());
  for (const double value : values) {
    normalized->push_back(
        extent > 0 ? static_cast<float>((value - axis->min) / extent) : 0.5f);
  }
}

std::string ComponentLabel(int number, double share) {
  return absl::StrFormat("principal component %d (%.0f %% of the variance)",
                         number, 100 * share);
}

}  // namespace

PlaneCoordinates FindPlaneCoordinates(const PointMatrix& points,
                                      const std::vector<int32_t>& densities,
                                      const std::vector<int32_t>& ids) {
  PlaneCoordinates plane;
  std::vector<double> x;
  std::vector<double> y;
  x.reserve(ids.size());
  y.reserve(ids.size());
  if (points.num_dimensions <= 2) {
    const bool line = points.num_dimensions == 1;
    for (const int32_t id : ids) {
      x.push_back(points.Row(id)[0]);
      y.push_back(line ? densities[id] : points.Row(id)[1]);
    }
    Normalize(line ? "coordinate" : "coordinate 1", x, &plane.x_axis, &plane.x);
    Normalize(line ? "density ρ" : "coordinate 2", y, &plane.y_axis, &plane.y);
    return plane;
  }
  const PrincipalComponents components = FindPrincipalComponents(points);
  for (const int32_t id : ids) {
    x.push_back(Project(points.Row(id), components.mean, components.first));
    y.push_back(Project(points.Row(id), components.mean, components.second));
  }
  Normalize(ComponentLabel(1, components.first_share), x, &plane.x_axis,
            &plane.x);
  Normalize(ComponentLabel(2, components.second_share), y, &plane.y_axis,
            &plane.y);
  return plane;
}

}  // namespace warpclust
