// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PagePoints: the points that a decision page holds. All of them if they are
// not too many; else a part of the dependency forest that still gives every
// label and every cluster size exactly, as long as no point left out is a peak:
//
//   * a point's dependent point is its nearest ancestor in the part, which has
//     the same label because what was skipped between them is no peak;
//   * a point stands for itself and all points left out whose nearest ancestor
//     in the part it is, which have its label.
//
// The part holds the chosen peaks, the points of largest gamma, those of
// largest dependent distance, and every so-many-th of the rest. Which choices
// of thresholds would make a point that was left out a peak is known from their
// largest gamma and from the staircase of their densities and distances.
//
// Cost: O(n log n). Thread-safety: a plain value and a pure function.

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
  // Indices into `ids`; -1 for the point of rank 0, which is always there.
  std::vector<int32_t> dependents;
  // How many points each stands for; their sum is n.
  std::vector<int32_t> weights;
  // The smallest id among those; clusters are numbered by their first member.
  std::vector<int32_t> firsts;

  // Of the points left out; -1 if there is none.
  double left_out_gamma = -1;
  // For each density that has one, the left out points that no other left out
  // point exceeds in both density and distance: densities fall, distances rise.
  std::vector<int32_t> left_out_densities;
  std::vector<double> left_out_distances;
  // How many left out points have at most the density, for each density that
  // one has, ascending: what counts noise.
  std::vector<int32_t> left_out_levels;
  std::vector<int32_t> left_out_counts;
};

// At most `max_points` (at least 16) points of `graph`, which must be valid and
// not empty; `peaks` first.
PagePoints ChoosePagePoints(const DecisionGraph& graph,
                            absl::Span<const int32_t> peaks,
                            int32_t max_points);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PAGE_PAGE_POINTS_H_
