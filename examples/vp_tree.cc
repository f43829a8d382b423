// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds a VP-tree over the points of a CSV file, counts those near a place and
// lists the nearest ones.

#include "vptree/vp_tree/vp_tree.h"

#include <iostream>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "vptree/io/csv_points.h"
#include "vptree/points/metric.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

absl::Status SearchPoints() {
  constexpr Metric kMetric = Metric::kEuclidean;
  ASSIGN_OR_RETURN(PointMatrix points, ReadCsvPoints("examples/points.csv"));
  RETURN_IF_ERROR(PrepareForMetric(kMetric, &points));
  ASSIGN_OR_RETURN(
      const std::unique_ptr<VpTree> tree,
      VpTree::Build(points, NormOfMetric(kMetric), /*num_threads=*/0));
  const std::vector<double> place = {50, 50};
  ASSIGN_OR_RETURN(const int count, tree->RangeCount(place, /*radius=*/10));
  std::cout << count << " of " << points.num_points
            << " points are less than 10 away from (50, 50)\n";
  ASSIGN_OR_RETURN(const std::vector<NearestPoint> nearest,
                   tree->KNearest(place, /*k=*/3));
  for (const NearestPoint& point : nearest) {
    const double* row = points.Row(point.id);
    std::cout << "point " << point.id << " at (" << row[0] << ", " << row[1]
              << "): distance " << DistanceOfKey(kMetric, point.key) << "\n";
  }
  return absl::OkStatus();
}

}  // namespace warpclust

int main() {
  const absl::Status status = warpclust::SearchPoints();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
