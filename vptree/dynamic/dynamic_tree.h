// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DynamicTree: a tree whose points come and go in batches (Liu et al. 2023,
// section 5.1 and Algorithm 3), and the searches of incremental density peaks
// (sections 5.2, 5.3 and 5.5), on the CPU.
//
//   absl::StatusOr<std::unique_ptr<DynamicTree>> tree =
//       DynamicTree::Create(DynamicTree::Kind::kBox, Norm::kL2, 2, 0);
//   absl::Status status = (*tree)->Insert(batch);  // ids 0 … batch size - 1
//   status = (*tree)->Remove({3, 5});
//
// How it keeps its shape. Points of a batch go down the tree and are grouped by
// leaf; a group that fits into the free slots of its leaf is appended. For one
// that does not, the smallest subtree that has room is built anew with its
// points and the batch's; how full a subtree may be falls from its leaves (all
// slots) to the root (nine tenths), so that rebuilding makes room for a while.
// If the whole tree lacks room, every leaf is split first (Inc_Capacity). The
// tree is built anew when a batch is as large as all that is there, and when
// more points have gone than are left: bounds by vantage points only widen, and
// leaves become empty. Each of the others costs O(log^2 n) moves a point,
// amortized.
//
// Ids are given in order of insertion, from 0, and never again. Arrays of the
// searches are by id, num_ids() long; elements of ids that are gone are left
// alone.
//
// Searches are exact, and give the bytes that a static tree over the points
// gives. Cost beside the searches themselves: O(n) words each, for ranks and
// the like. Memory: as LeafTree with leaves of 14 to 29 points on average, 8
// bytes for every id ever given.
//
// Errors: InvalidArgument for arrays of the wrong length, keys that are
// negative or NaN, ids that are not live; ResourceExhausted beyond 2^31 - 1
// ids.
//
// Thread-safety: const methods may be called concurrently. Determinism: the
// shape depends on the batches only, the results on the points only.

#ifndef WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_TREE_H_
#define WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_TREE_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class DynamicTree {
 public:
  enum class Kind { kBox, kVantage };

  // What keeping the shape has cost so far.
  struct Maintenance {
    int64_t full_builds = 0;
    int64_t subtree_builds = 0;
    int64_t leaf_splits = 0;  // Of all leaves at once.
    int64_t points_moved = 0;
  };

  // An empty tree for prepared points (metric.h) of this many dimensions.
  // num_threads 0: all cores. InvalidArgument if there are no dimensions.
  static absl::StatusOr<std::unique_ptr<DynamicTree>> Create(
      Kind kind, Norm norm, int32_t num_dimensions, int num_threads);

  virtual ~DynamicTree() = default;

  virtual int32_t num_dimensions() const = 0;
  // Ids given so far, and the points that are there now.
  virtual int32_t num_ids() const = 0;
  virtual int32_t num_points() const = 0;
  virtual bool IsLive(int32_t id) const = 0;
  // Copies the coordinates of a live point to row[0 … num_dimensions()).
  virtual void CopyPoint(int32_t id, double* row) const = 0;
  virtual Maintenance maintenance() const = 0;
  // See NeighborIndex.
  virtual int64_t distance_evaluations() const = 0;

  // Adds prepared points, which get the ids num_ids() … in order.
  // InvalidArgument, and nothing is done, if they are not valid or have another
  // number of dimensions.
  virtual absl::Status Insert(const PointMatrix& batch) = 0;

  // Takes points away. InvalidArgument, and nothing is done, if an id is not
  // live or comes twice.
  virtual absl::Status Remove(absl::Span<const int32_t> ids) = 0;

  // Of all points, as in NeighborIndex. Ranks are distinct; HighestRank… gives
  // num_ids() where there is none.
  virtual absl::Status CountWithin(double radius_key,
                                   absl::Span<int32_t> counts) const = 0;
  virtual absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const = 0;
  virtual absl::Status HighestRankOfOtherLabel(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> labels, absl::Span<int32_t> best) const = 0;

  // What a batch of points changes. marks[i] is not 0 for those that have come
  // or are about to go. Sets counts[i] of each marked point as CountWithin does
  // and adds to gains[j] of each other point j the marked points within the
  // radius. Both give the same; the paper's names (section 5.2).
  //
  // Incidentally: while counting for the marked points. For few of them.
  virtual absl::Status CountMarkedIncidentally(
      double radius_key, absl::Span<const uint8_t> marks,
      absl::Span<int32_t> counts, absl::Span<int32_t> gains) const = 0;
  // Separately: each other point searches a tree of the marked ones.
  virtual absl::Status CountMarkedSeparately(
      double radius_key, absl::Span<const uint8_t> marks,
      absl::Span<int32_t> counts, absl::Span<int32_t> gains) const = 0;

  // Brings NearestOfHigherRank up to date after densities changed and points
  // came or went (section 5.3). restart[i] is not 0 where nothing is known:
  // new points, and those whose nearest point is gone or no longer of higher
  // rank. gains[i] is what the density of i has gained (less than 0: lost),
  // INT32_MAX for new points. Ranks are by density, then by something that does
  // not change, such as the id.
  //
  // Why that is enough: elsewhere the old answer still counts, and no point
  // that was of higher rank before is nearer. Any other that now is of higher
  // rank has gained more; so subtrees that have gained no more are skipped.
  virtual absl::Status UpdateNearest(
      absl::Span<const int32_t> ranks, absl::Span<const int32_t> gains,
      absl::Span<const uint8_t> restart,
      absl::Span<NearestPoint> nearest) const = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_TREE_H_
