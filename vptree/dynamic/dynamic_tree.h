// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DynamicTree: a tree whose points come and go in batches (Liu et al. 2023,
// section 5.1 and Algorithm 3), with the searches of incremental density peaks
// (sections 5.2, 5.3 and 5.5), on the CPU.
//
//   ASSIGN_OR_RETURN(std::unique_ptr<DynamicTree> tree,
//                    DynamicTree::Create(DynamicTree::Kind::kBox, Norm::kL2,
//                                        /*num_dimensions=*/2,
//                                        /*num_threads=*/0));
//   RETURN_IF_ERROR(tree->Insert(batch));  // ids 0 … batch size - 1
//   RETURN_IF_ERROR(tree->Remove({3, 5}));
//
// Shape. The points of a batch descend the tree and are grouped by leaf. A
// group that fits into the free slots of its leaf is appended. Otherwise the
// smallest subtree with room is rebuilt with its points and the batch's. The
// allowed fill of a subtree falls from its leaves (all slots) to the root (nine
// tenths), so a rebuilt subtree has room for a while. If the whole tree lacks
// room, every leaf is split first (Inc_Capacity). The whole tree is rebuilt
// when a batch is as large as the tree, and when more points were removed than
// are left, because intervals of vantage points only widen and leaves become
// empty. Otherwise an insertion costs O(log^2 n) moves per point, amortized.
//
// Ids are assigned in order of insertion, from 0, and never reused. Arrays of
// the searches are by id and num_ids() long; elements of removed ids stay as
// they are.
//
// Searches are exact and return the bytes of a static tree over the same
// points. Besides the search itself, each takes O(n) words for ranks and the
// like. Memory: a LeafTree with 14 to 29 points per leaf on average, and 8
// bytes for every id ever assigned. The shape depends on the batches only.
//
// Errors: InvalidArgument for arrays of the wrong length, for keys that are
// negative or NaN, and for ids that are not live; ResourceExhausted beyond 2^31
// - 1 ids.

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

  // What maintaining the shape has cost so far.
  struct Maintenance {
    int64_t full_builds = 0;
    int64_t subtree_builds = 0;
    int64_t leaf_splits = 0;  // Each splits all leaves.
    int64_t points_moved = 0;
  };

  // Returns an empty tree for prepared points (metric.h). `num_threads` 0: all
  // cores. InvalidArgument if num_dimensions is less than 1.
  static absl::StatusOr<std::unique_ptr<DynamicTree>> Create(
      Kind kind, Norm norm, int32_t num_dimensions, int num_threads);

  virtual ~DynamicTree() = default;

  virtual int32_t num_dimensions() const = 0;
  // The number of ids assigned so far, and of points in the tree now.
  virtual int32_t num_ids() const = 0;
  virtual int32_t num_points() const = 0;
  virtual bool IsLive(int32_t id) const = 0;
  // Copies the coordinates of a live point to row[0 … num_dimensions()).
  virtual void CopyPoint(int32_t id, double* row) const = 0;
  virtual Maintenance maintenance() const = 0;
  // See NeighborIndex.
  virtual int64_t distance_evaluations() const = 0;

  // Adds prepared points, which get the ids from num_ids() on in order.
  // InvalidArgument, without any change, if they are invalid or have another
  // number of dimensions.
  virtual absl::Status Insert(const PointMatrix& batch) = 0;

  // Removes points. InvalidArgument, without any change, if an id is not live
  // or is repeated.
  virtual absl::Status Remove(absl::Span<const int32_t> ids) = 0;

  // The searches of all points, as in NeighborIndex. Ranks are distinct.
  virtual absl::Status CountWithin(double radius_key,
                                   absl::Span<int32_t> counts) const = 0;
  virtual absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const = 0;

  // What a batch changes (section 5.2). marks[i] is not 0 for points that were
  // inserted or are about to be removed. Both methods set counts[i] of each
  // marked point as CountWithin does, and add to gains[j] of each other point j
  // the number of marked points within the radius. Their results are equal; the
  // names are the paper's.
  //
  // Incidentally: finds the gains while it counts for the marked points. For
  // small batches.
  virtual absl::Status CountMarkedIncidentally(
      double radius_key, absl::Span<const uint8_t> marks,
      absl::Span<int32_t> counts, absl::Span<int32_t> gains) const = 0;
  // Separately: each other point searches a tree of the marked points.
  virtual absl::Status CountMarkedSeparately(
      double radius_key, absl::Span<const uint8_t> marks,
      absl::Span<int32_t> counts, absl::Span<int32_t> gains) const = 0;

  // Updates the answers of NearestOfHigherRank after densities changed and
  // points came or went (section 5.3). restart[i] is not 0 where the old answer
  // is void: for new points, and for points whose nearest point was removed or
  // no longer has a higher rank. gains[i] is the change of the density of i,
  // INT32_MAX for new points. Ranks are by density, then by a value that does
  // not change, such as the id.
  //
  // Why this is enough: elsewhere the old answer is still valid, and no point
  // that had a higher rank before is nearer. Any other point that now has a
  // higher rank has gained more than i, so subtrees that gained no more are
  // skipped.
  virtual absl::Status UpdateNearest(
      absl::Span<const int32_t> ranks, absl::Span<const int32_t> gains,
      absl::Span<const uint8_t> restart,
      absl::Span<NearestPoint> nearest) const = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_TREE_H_
