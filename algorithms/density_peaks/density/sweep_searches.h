// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of DecisionGraphCpu for several cutoff distances at a time, for
// a sweep. The answers are those of one search per cutoff distance.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SWEEP_SEARCHES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SWEEP_SEARCHES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "vptree/points/metric.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

struct SweptDensities {
  // By cutoff distance.
  std::vector<std::vector<int32_t>> densities;
  // By cutoff distance: the number of its ranking in `rankings`, which may be
  // null.
  std::vector<int> places;
  std::unique_ptr<RankingsSearch> rankings;
};

// The densities at each of these cutoff distances. `index` is one of points
// prepared for `metric`. Memory: 8 bytes per point and cutoff distance. Errors
// of the index.
absl::StatusOr<SweptDensities> CountForEach(
    const NeighborIndex& index, Metric metric,
    absl::Span<const double> cutoff_distances);

// The dependent points for each of these densities, one after the other. Errors
// of the index.
absl::StatusOr<std::vector<NearestPoint>> FindDependentsOfEach(
    const NeighborIndex& index,
    const std::vector<std::vector<int32_t>>& densities, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SWEEP_SEARCHES_H_
