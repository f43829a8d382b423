// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PagePoints: the points that a decision page holds. If there are too many, it
// is a part of the dependency forest that still gives every label and every
// cluster size exactly, as long as no point left out is a peak:
//
//   * The dependent point of a point is its nearest ancestor in the part. It
//   has
//     the same label, since the skipped points between them are no peaks.
//   * A point stands for itself and all points left out whose nearest ancestor
//     in the part it is; these have its label.
//
// The part holds the chosen peaks, the points of largest gamma and of largest
// dependent distance, and an even sample of the others. The largest gamma of
// the points left out, and the staircase of their densities and distances, tell
// which thresholds would make one of them a peak. O(n log n).

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PAGE_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PAGE_POINTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "algorithms/density_peaks/density/decision_graph.h"

namespace warpclust {

struct PagePoints {
  // The points in the part, ascending.
  std::vector<int32_t> ids;
  // Indices into `ids`; -1 for the point of rank 0, which is always held.
  std::vector<int32_t> dependents;
  // The number of points that each stands for; their sum is n.
  std::vector<int32_t> weights;
  // The smallest id among these points; clusters are numbered by their first
  // member.
  std::vector<int32_t> firsts;

  // The largest gamma of the points left out; -1 without any.
  double left_out_gamma = -1;
  // The staircase: the points left out that no other one exceeds in both
  // density and distance. Densities fall, distances rise.
  std::vector<int32_t> left_out_densities;
  std::vector<double> left_out_distances;
  // For each density of a point left out, ascending: how many of these points
  // have at most that density. For counting noise.
  std::vector<int32_t> left_out_levels;
  std::vector<int32_t> left_out_counts;
};

// Chooses at most `max_points` (at least 16) points of `graph`, which must be
// valid and not empty; the `peaks` come first.
PagePoints ChoosePagePoints(const DecisionGraph& graph,
                            absl::Span<const int32_t> peaks,
                            int32_t max_points);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PAGE_POINTS_H_
