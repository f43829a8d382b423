// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DecisionGraph: density and dependent distance of every point (Rodriguez and
// Laio 2014; Liu et al. 2023, section 2.1). Use it to choose peaks, by a rule
// (peak_selection.h) or by eye (page/decision_page.h).
//
//   density rho_i              the number of other points within the cutoff
//                              distance d_c of point i, strictly
//   rank                       the order by density, highest first, ties by the
//                              smaller id: a strict order
//   dependent point            the nearest point of higher rank, ties by the
//                              smaller id; -1 for the point of rank 0
//   dependent distance delta_i the distance to it; for the point of rank 0 its
//                              largest distance to any point (0 if n = 1)

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"

namespace warpclust {

struct DecisionGraph {
  double cutoff_distance = 0;
  // By point.
  std::vector<int32_t> densities;
  std::vector<int32_t> dependent_points;
  std::vector<double> dependent_distances;

  int32_t num_points() const { return static_cast<int32_t>(densities.size()); }

  // For graphs from elsewhere. InvalidArgument naming the first bad point:
  // arrays of different lengths, a density outside [0, n), a dependent point of
  // lower rank, or a distance that is negative or not finite. The cutoff
  // distance is not checked: only a halo needs it.
  absl::Status Validate() const;

  friend bool operator==(const DecisionGraph&, const DecisionGraph&) = default;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_H_
