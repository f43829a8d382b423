// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DecisionGraph: what density peaks clustering knows of each point (Rodriguez
// and Laio 2014; Liu et al. 2023, section 2.1), before anybody chooses peaks.
//
//   density rho_i              points within the cutoff distance d_c of i,
//                              strictly, i itself not counted
//   rank                       by density, highest first, ties by the smaller
//                              id: a strict order
//   dependent point            the nearest point of higher rank, ties by the
//                              smaller id; -1 for the point of rank 0
//   dependent distance delta_i the distance to it; for the point of rank 0 its
//                              largest distance to any point (0 if n = 1)
//
// Thread-safety: a plain value.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"

namespace warpclust {

struct DecisionGraph {
  double cutoff_distance = 0;
  std::vector<int32_t> densities;
  std::vector<int32_t> dependent_points;
  std::vector<double> dependent_distances;

  int32_t num_points() const { return static_cast<int32_t>(densities.size()); }

  // InvalidArgument naming the first point that cannot be so: arrays of
  // different lengths, a density out of [0, n), a dependent point of lower
  // rank, a distance that is negative or not finite. For graphs from elsewhere.
  // The cutoff distance may be any number: only a halo needs it.
  absl::Status Validate() const;

  friend bool operator==(const DecisionGraph& a, const DecisionGraph& b) {
    return a.cutoff_distance == b.cutoff_distance &&
           a.densities == b.densities &&
           a.dependent_points == b.dependent_points &&
           a.dependent_distances == b.dependent_distances;
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_DECISION_GRAPH_H_
