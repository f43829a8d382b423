// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafTreeIndex: a static tree over points and its searches: those of all
// points at once, as a NeighborIndex, and those of single points from anywhere.
// Use it as BoxTree (box_tree.h) or VpTree (vp_tree.h).
//
//   ASSIGN_OR_RETURN(std::unique_ptr<VpTree> tree,
//                    VpTree::Build(points, Norm::kL2, /*num_threads=*/0));
//   ASSIGN_OR_RETURN(int32_t count, tree->RangeCount({50, 50}, /*radius=*/10));
//   ASSIGN_OR_RETURN(NearestPoint nearest, tree->Nearest({50, 50}));
//
// Answers have distance keys (distance_key.h); the key of Norm::kL2 is the
// squared distance. Points and queries are prepared for their metric
// (metric.h).
//
// Complexity: building takes O(n log^2 n); a single search with a small answer
// takes O(log n) in few dimensions. Memory: see leaf_tree.h; bounds of a box
// tree take 1.5 d to 3 d bytes per point, those of a VP-tree half of that.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
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

// Gets the k nearest points of query q, best first.
using TakeKNearest = absl::FunctionRef<void(
    int32_t q, absl::Span<const double> keys, absl::Span<const int32_t> ids)>;

template <class Bounds>
class LeafTreeIndex final : public NeighborIndex {
 public:
  // Builds the tree over a copy of the coordinates. `num_threads` (0: all
  // cores) also serves the searches of all points. InvalidArgument if the
  // points are invalid.
  static absl::StatusOr<std::unique_ptr<LeafTreeIndex>> Build(
      const PointMatrix& points, Norm norm, int num_threads);

  // Searches for one query point, which need not be in the tree.
  // InvalidArgument if it does not have num_dimensions() coordinates, if one is
  // not finite or larger than kLargestCoordinate, or if a radius is negative or
  // NaN.

  // Returns how many points are less than `radius` away from the query, in the
  // distance of the norm. For kAngular and kCosine that is the chord,
  // sqrt(KeyOfDistance(metric, distance)).
  absl::StatusOr<int32_t> RangeCount(absl::Span<const double> query,
                                     double radius) const;

  // Returns the ids of these points, ascending.
  absl::StatusOr<std::vector<int32_t>> RangeList(absl::Span<const double> query,
                                                 double radius) const;

  // Returns the k Preferred points (nearest_point.h), best first, or all points
  // if there are fewer. InvalidArgument if k is negative.
  absl::StatusOr<std::vector<NearestPoint>> KNearest(
      absl::Span<const double> query, int32_t k) const;

  // KNearest of many queries, a leaf of them at a time: calls
  // take(q, keys, ids) once per query, from several threads. The first searches
  // for each point of the tree among the others. InvalidArgument unless k is at
  // least 1 and there are that many points.
  absl::Status KNearestOfEach(int32_t k, TakeKNearest take) const;
  absl::Status KNearestOf(const PointMatrix& queries, int32_t k,
                          TakeKNearest take) const;

  // Returns how many distances KNearestOfEach computes per point, counted on
  // about `num_leaves` leaves of them, at least 1. InvalidArgument as
  // KNearestOfEach; not cancelled.
  absl::StatusOr<double> KNearestEvaluations(int32_t k,
                                             int32_t num_leaves) const;

  // Returns the Preferred point; NearestPoint() in an empty tree.
  absl::StatusOr<NearestPoint> Nearest(absl::Span<const double> query) const;

  int32_t num_dimensions() const { return tree_.tree.num_dimensions; }
  // The arrays.
  const LeafTree& tree() const { return tree_.tree; }
  const Bounds& bounds() const { return tree_.bounds; }

  // NeighborIndex.
  absl::string_view name() const override { return Bounds::kTreeName; }
  int32_t num_points() const override { return tree_.tree.num_points; }
  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override;
  absl::Status CountWithinEach(absl::Span<const double> radius_keys,
                               absl::Span<int32_t> counts) const override;
  absl::StatusOr<std::unique_ptr<RankingsSearch>> CountAndRank(
      absl::Span<const double> radius_keys,
      absl::Span<std::vector<int32_t>> counts) const override;
  absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override;
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       absl::Span<const int32_t> ranks,
                                       absl::Span<const int32_t> labels,
                                       absl::Span<int32_t> best) const override;
  absl::StatusOr<std::unique_ptr<JoiningPairSearch>> JoiningPairs(
      double radius_key, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> slot_ranks, absl::Span<const int32_t> labels,
      absl::Span<const int32_t> num_above) const override;
  absl::Status CountWithinOf(const PointMatrix& queries, double radius_key,
                             absl::Span<int32_t> query_counts) const override;
  absl::Status NearestOfHigherRankOf(
      const PointMatrix& queries, absl::Span<const int32_t> ranks,
      absl::Span<const int32_t> query_ranks,
      absl::Span<NearestPoint> query_nearest) const override;
  absl::Status HighestRankOfOtherLabelOf(
      const PointMatrix& queries, double radius_key,
      absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
      absl::Span<const int32_t> query_labels,
      absl::Span<int32_t> query_best) const override;
  absl::StatusOr<std::optional<double>> LargestKeyOf(
      absl::Span<const double> row) const override;
  absl::StatusOr<double> EstimateSeconds(double radius_key) const override;
  int64_t distance_evaluations() const override { return evaluations_.load(); }
  absl::Status KeepNeighbors() override;
  void SetNumThreads(int num_threads) override { num_threads_ = num_threads; }

 private:
  LeafTreeIndex() = default;

  BoundedTree<Bounds> tree_;
  LeafNeighbors neighbors_;
  int num_threads_ = 1;
  mutable std::atomic<int64_t> evaluations_{0};
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_H_
