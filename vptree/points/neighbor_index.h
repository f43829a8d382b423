// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NeighborIndex: the searches that density peaks clustering asks of a set of
// points, all points at once, on the CPU. Which index answers is a matter of
// speed only: every implementation gives the same bytes, those of the plain
// double loop over all pairs.
//
// Implementations: box_tree.h (low dimension), vp_tree.h (any metric),
// brute_force.h (high dimension, or a radius that reaches most points).
// choose_index.h measures them on a sample and picks.
//
// Points are prepared for their metric (vptree/points/metric.h) and outlive the
// index; radii are keys. Arrays have one element a point, by point id.
//
// Thread-safety: const methods may be called concurrently; each uses the
// threads the index was made with. Determinism: results do not depend on them.
// Errors: InvalidArgument for arrays of the wrong length or a key that is
// negative or NaN.

#ifndef WARPCLUST_VPTREE_POINTS_NEIGHBOR_INDEX_H_
#define WARPCLUST_VPTREE_POINTS_NEIGHBOR_INDEX_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

class NeighborIndex {
 public:
  virtual ~NeighborIndex() = default;

  // "box tree", "vp tree" or "brute force".
  virtual absl::string_view name() const = 0;
  virtual int32_t num_points() const = 0;

  // counts[i] = how many other points j have key(i, j) < radius_key. Other
  // means another id: duplicates count.
  virtual absl::Status CountWithin(double radius_key,
                                   absl::Span<int32_t> counts) const = 0;

  // nearest[i] = the point j with ranks[j] < ranks[i] that is Preferred
  // (nearest_point.h): smallest key, then smallest id; "none" for the point of
  // the least rank. Ranks are a permutation of 0 … n - 1, 0 the highest.
  virtual absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const = 0;

  // best[i] = the least ranks[j] of the points j with key(i, j) < radius_key
  // and labels[j] != labels[i]; n if there is none.
  virtual absl::Status HighestRankOfOtherLabel(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> labels, absl::Span<int32_t> best) const = 0;

  // Seconds that CountWithin would take, measured on a sample of the points
  // (a few milliseconds, or 1/50 of the whole, whichever is more).
  virtual absl::StatusOr<double> EstimateSeconds(double radius_key) const = 0;

  // Distances between two points computed by the searches so far, to points
  // and to bounds of subtrees: the cost measure of the paper's Figure 7.
  virtual int64_t distance_evaluations() const = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_NEIGHBOR_INDEX_H_
