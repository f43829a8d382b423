// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafTreeIndex: a static tree over points (leaf_tree.h) and all its searches:
// those for all points at once, as a NeighborIndex, and those for one point
// from anywhere. Use it by its names BoxTree (box_tree.h) and VpTree
// (vp_tree.h).
//
//   absl::StatusOr<std::unique_ptr<BoxTree>> tree =
//       BoxTree::Build(points, Norm::kL2, /*num_threads=*/0);
//   absl::StatusOr<NearestPoint> nearest = (*tree)->Nearest(query);
//
// Keys are those of distance_key.h: of Norm::kL2 the squared distance. Points
// and queries are prepared for their metric (metric.h).
//
// Cost: building O(n log^2 n), single searches O(log n) in low dimension with
// small answers. Memory: leaf_tree.h, and for bounds 1.5 d to 3 d bytes a point
// of a box tree, half of that of a VP-tree.
//
// Thread-safety: const methods may be called concurrently. Determinism: answers
// are those of the plain loop over all points, on any machine.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

template <class Bounds>
class LeafTreeIndex final : public NeighborIndex {
 public:
  // Copies the coordinates; `points` is not needed afterwards. num_threads 0:
  // all cores, for building and for the searches of all points. InvalidArgument
  // if the points are not valid.
  static absl::StatusOr<std::unique_ptr<LeafTreeIndex>> Build(
      const PointMatrix& points, Norm norm, int num_threads);

  // Searches for one point, given by its coordinates, which need not be one of
  // the tree. InvalidArgument if it has not num_dimensions() coordinates, one
  // is not finite, or a radius is negative or NaN.

  // How many points have a distance less than `radius` from the query, in the
  // tree's norm.
  absl::StatusOr<int32_t> RangeCount(absl::Span<const double> query,
                                     double radius) const;

  // Their ids, ascending.
  absl::StatusOr<std::vector<int32_t>> RangeList(absl::Span<const double> query,
                                                 double radius) const;

  // The k Preferred points (nearest_point.h), best first; all points if there
  // are fewer. InvalidArgument if k is negative.
  absl::StatusOr<std::vector<NearestPoint>> KNearest(
      absl::Span<const double> query, int32_t k) const;

  // The Preferred point; "none" in an empty tree.
  absl::StatusOr<NearestPoint> Nearest(absl::Span<const double> query) const;

  int32_t num_dimensions() const { return tree_.tree.num_dimensions; }
  // The arrays, to look at or to copy to a GPU.
  const LeafTree& tree() const { return tree_.tree; }
  const Bounds& bounds() const { return tree_.bounds; }

  // NeighborIndex.
  absl::string_view name() const override { return Bounds::kTreeName; }
  int32_t num_points() const override { return tree_.tree.num_points; }
  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override;
  absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override;
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       absl::Span<const int32_t> ranks,
                                       absl::Span<const int32_t> labels,
                                       absl::Span<int32_t> best) const override;
  absl::StatusOr<double> EstimateSeconds(double radius_key) const override;
  int64_t distance_evaluations() const override { return evaluations_.load(); }

 private:
  LeafTreeIndex() = default;

  BoundedTree<Bounds> tree_;
  int num_threads_ = 1;
  mutable std::atomic<int64_t> evaluations_{0};
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_H_
