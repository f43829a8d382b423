// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The member functions of LeafTreeIndex, for the file that instantiates it for
// a kind of bounds. That file is compiled with OpenMP.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_INL_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_INL_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/machine/resize_vector.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_all_nearest.h"
#include "vptree/leaf_tree/leaf_tree_all_points.h"
#include "vptree/leaf_tree/leaf_tree_index.h"
#include "vptree/leaf_tree/leaf_tree_joins.h"
#include "vptree/leaf_tree/leaf_tree_k_nearest.h"
#include "vptree/leaf_tree/leaf_tree_rankings.h"
#include "vptree/leaf_tree/leaf_tree_visit.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace leaf_tree_internal {

inline absl::Status CheckQuery(absl::Span<const double> query,
                               const LeafTree& tree) {
  if (tree.num_points > 0) {
    RETURN_IF_ERROR(
        CheckLength("query coordinates", query.size(), tree.num_dimensions));
  }
  for (const double x : query) {
    // Beyond, squares are infinite (PointMatrix::Validate).
    if (!(std::fabs(x) <= kLargestCoordinate)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "query: expected coordinates up to 1e150 in magnitude, found ", x));
    }
  }
  return absl::OkStatus();
}

inline absl::Status CheckK(int32_t k, int32_t num_points) {
  if (k >= 1 && k <= num_points) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("k nearest: expected k of at least 1 and as many points to "
                   "find, found k = ",
                   k, " and ", std::max(0, num_points), " points"));
}

}  // namespace leaf_tree_internal

template <class Bounds>
absl::StatusOr<std::unique_ptr<LeafTreeIndex<Bounds>>>
LeafTreeIndex<Bounds>::Build(const PointMatrix& points, Norm norm,
                             int num_threads) {
  RETURN_IF_ERROR(points.Validate());
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  const int threads = ResolveThreads(num_threads);
  std::unique_ptr<LeafTreeIndex> index(new LeafTreeIndex);
  index->num_threads_ = threads;
  index->tree_ = BuildTree<Bounds>(points, /*ids=*/{}, norm,
                                   LeafTreeHeight(points.num_points), threads);
  return index;
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::CountWithin(
    double radius_key, absl::Span<int32_t> counts) const {
  RETURN_IF_ERROR(CheckLength("counts", counts.size(), num_points()));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (num_points() == 0) return absl::OkStatus();
  // A point counts itself, unless nothing is within the radius.
  const int32_t self = radius_key > 0 ? 1 : 0;
  evaluations_ +=
      CountWithinOfLeaves(tree_, tree_, radius_key, self,
                          /*stride=*/1, num_threads_, counts, work());
  return NotStopped();
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::CountWithinEach(
    absl::Span<const double> radius_keys, absl::Span<int32_t> counts) const {
  RETURN_IF_ERROR(CheckRadiusKeys(radius_keys));
  RETURN_IF_ERROR(CheckLength("counts", counts.size(),
                              int64_t{num_points()} * radius_keys.size()));
  if (counts.empty()) return absl::OkStatus();
  for (size_t begin = 0; begin < radius_keys.size(); begin += kMostRadii) {
    const absl::Span<const double> keys =
        radius_keys.subspan(begin, kMostRadii);
    int32_t* of_keys[kMostRadii];
    for (size_t r = 0; r < keys.size(); ++r) {
      of_keys[r] = counts.data() + (begin + r) * num_points();
    }
    LeafCounts found(tree().num_leaves(), static_cast<int>(keys.size()));
    evaluations_ +=
        CountWithinEachOfLeaves(tree_, keys, num_threads_, of_keys, &found);
  }
  return absl::OkStatus();
}

template <class Bounds>
absl::StatusOr<std::unique_ptr<RankingsSearch>>
LeafTreeIndex<Bounds>::CountAndRank(
    absl::Span<const double> radius_keys,
    absl::Span<std::vector<int32_t>> counts) const {
  if (neighbors_.empty() || radius_keys.size() > kMostRadii) {
    return NeighborIndex::CountAndRank(radius_keys, counts);
  }
  RETURN_IF_ERROR(CheckRadiusKeys(radius_keys));
  RETURN_IF_ERROR(CheckLength("counts", counts.size(), radius_keys.size()));
  int32_t* of_keys[kMostRadii];
  for (size_t r = 0; r < counts.size(); ++r) {
    ResizeVector(num_points(), num_threads_, &counts[r]);
    of_keys[r] = counts[r].data();
  }
  LeafCounts found(tree().num_leaves(), kMostRadii);
  evaluations_ += CountWithinEachOfLeaves(tree_, radius_keys, num_threads_,
                                          of_keys, &found);
  return std::make_unique<LeafTreeRankings<Bounds>>(
      tree_, neighbors_, num_threads_, work(), &evaluations_, &found);
}

template <class Bounds>
absl::StatusOr<double> LeafTreeIndex<Bounds>::EstimateSeconds(
    double radius_key) const {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (num_points() == 0) return 0.0;
  // With fewer leaves than that, some threads would have nothing to do.
  const int32_t num_leaves = tree_.tree.num_leaves();
  const int32_t stride =
      std::max(1, std::min(50, num_leaves / (32 * num_threads_)));
  const auto start = std::chrono::steady_clock::now();
  evaluations_ += CountWithinOfLeaves(tree_, tree_, radius_key, /*self=*/0,
                                      stride, num_threads_, /*counts=*/{});
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  const int32_t num_sampled = (num_leaves + stride - 1) / stride;
  return seconds.count() * num_leaves / num_sampled;
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::NearestOfHigherRank(
    absl::Span<const int32_t> ranks, absl::Span<NearestPoint> nearest) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
  RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), num_points()));
  if (num_points() == 0) return absl::OkStatus();
  evaluations_ += NearestOfHigherRankOfLeaves(tree_, ranks, /*update=*/nullptr,
                                              num_threads_, nearest, work());
  return NotStopped();
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::KeepNeighbors() {
  if (num_points() == 0 || !neighbors_.empty()) return absl::OkStatus();
  LeafNeighbors neighbors;
  evaluations_ += FindLeafNeighbors(tree_, num_threads_, &neighbors, work());
  RETURN_IF_ERROR(NotStopped());
  neighbors_ = std::move(neighbors);
  return absl::OkStatus();
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::HighestRankOfOtherLabel(
    double radius_key, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> labels, absl::Span<int32_t> best) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
  RETURN_IF_ERROR(CheckLength("labels", labels.size(), num_points()));
  RETURN_IF_ERROR(CheckLength("best", best.size(), num_points()));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (num_points() == 0) return absl::OkStatus();
  evaluations_ +=
      HighestRankOfOtherLabelOfLeaves(tree_, tree_, radius_key, ranks, labels,
                                      labels, num_threads_, best, work());
  return NotStopped();
}

template <class Bounds>
absl::StatusOr<std::unique_ptr<JoiningPairSearch>>
LeafTreeIndex<Bounds>::JoiningPairs(double radius_key,
                                    absl::Span<const int32_t> ranks,
                                    absl::Span<const int32_t> slot_ranks,
                                    absl::Span<const int32_t> labels,
                                    absl::Span<const int32_t> num_above) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
  if (!slot_ranks.empty()) {
    RETURN_IF_ERROR(
        CheckLength("slot ranks", slot_ranks.size(), tree().leaf_ids.size()));
  }
  RETURN_IF_ERROR(CheckLength("labels", labels.size(), num_points()));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  return std::make_unique<LeafTreeJoiningPairs<Bounds>>(
      tree_, neighbors_, radius_key, ranks, slot_ranks, labels, num_above,
      num_threads_, work(), &evaluations_);
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::CountWithinOf(
    const PointMatrix& queries, double radius_key,
    absl::Span<int32_t> query_counts) const {
  RETURN_IF_ERROR(
      CheckLength("query counts", query_counts.size(), queries.num_points));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  std::fill(query_counts.begin(), query_counts.end(), 0);
  if (query_counts.empty() || num_points() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const BoundedTree<Bounds> tree,
                   TreeOfQueries(tree_, queries, num_threads_));
  evaluations_ += CountWithinOfLeaves(tree_, tree, radius_key, /*self=*/0,
                                      /*stride=*/1, num_threads_, query_counts);
  return absl::OkStatus();
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::NearestOfHigherRankOf(
    const PointMatrix& queries, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> query_ranks,
    absl::Span<NearestPoint> query_nearest) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
  RETURN_IF_ERROR(
      CheckLength("query ranks", query_ranks.size(), queries.num_points));
  RETURN_IF_ERROR(
      CheckLength("query nearest", query_nearest.size(), queries.num_points));
  if (query_nearest.empty() || num_points() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const BoundedTree<Bounds> tree,
                   TreeOfQueries(tree_, queries, num_threads_));
  evaluations_ += NearestOfHigherRankOfQueries(tree_, tree, ranks, query_ranks,
                                               num_threads_, query_nearest);
  return absl::OkStatus();
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::HighestRankOfOtherLabelOf(
    const PointMatrix& queries, double radius_key,
    absl::Span<const int32_t> ranks, absl::Span<const int32_t> labels,
    absl::Span<const int32_t> query_labels,
    absl::Span<int32_t> query_best) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points()));
  RETURN_IF_ERROR(CheckLength("labels", labels.size(), num_points()));
  RETURN_IF_ERROR(
      CheckLength("query labels", query_labels.size(), queries.num_points));
  RETURN_IF_ERROR(
      CheckLength("query best", query_best.size(), queries.num_points));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (query_best.empty() || num_points() == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const BoundedTree<Bounds> tree,
                   TreeOfQueries(tree_, queries, num_threads_));
  evaluations_ +=
      HighestRankOfOtherLabelOfLeaves(tree_, tree, radius_key, ranks, labels,
                                      query_labels, num_threads_, query_best);
  return absl::OkStatus();
}

template <class Bounds>
absl::StatusOr<std::optional<double>> LeafTreeIndex<Bounds>::LargestKeyOf(
    absl::Span<const double> row) const {
  RETURN_IF_ERROR(leaf_tree_internal::CheckQuery(row, tree()));
  int64_t evaluations = 0;
  const double largest =
      LargestKeyInTree(tree(), bounds(), row.data(), &evaluations);
  evaluations_ += evaluations;
  return largest;
}

template <class Bounds>
absl::StatusOr<int32_t> LeafTreeIndex<Bounds>::RangeCount(
    absl::Span<const double> query, double radius) const {
  RETURN_IF_ERROR(leaf_tree_internal::CheckQuery(query, tree()));
  RETURN_IF_ERROR(CheckRadius(radius));
  if (num_points() == 0) return 0;
  int32_t count = 0;
  int64_t evaluations = 0;
  VisitRange(
      tree(), bounds(), query.data(), KeyOfRadius(tree().norm, radius),
      [&](int32_t node) { count += tree().node_counts[node]; },
      [&](int32_t, int32_t) { ++count; }, &evaluations);
  evaluations_ += evaluations;
  return count;
}

template <class Bounds>
absl::StatusOr<std::vector<int32_t>> LeafTreeIndex<Bounds>::RangeList(
    absl::Span<const double> query, double radius) const {
  RETURN_IF_ERROR(leaf_tree_internal::CheckQuery(query, tree()));
  RETURN_IF_ERROR(CheckRadius(radius));
  std::vector<int32_t> found;
  if (num_points() == 0) return found;
  int64_t evaluations = 0;
  VisitRange(
      tree(), bounds(), query.data(), KeyOfRadius(tree().norm, radius),
      [&](int32_t node) {
        VisitLeaves(tree(), node, [&](int32_t leaf) {
          const int32_t* ids = tree().LeafIds(leaf);
          found.insert(found.end(), ids, ids + tree().leaf_counts[leaf]);
        });
      },
      [&](int32_t leaf, int32_t slot) {
        found.push_back(tree().LeafIds(leaf)[slot]);
      },
      &evaluations);
  evaluations_ += evaluations;
  std::sort(found.begin(), found.end());
  return found;
}

template <class Bounds>
absl::StatusOr<std::vector<NearestPoint>> LeafTreeIndex<Bounds>::KNearest(
    absl::Span<const double> query, int32_t k) const {
  RETURN_IF_ERROR(leaf_tree_internal::CheckQuery(query, tree()));
  if (k < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("k: expected at least 0, found ", k));
  }
  const size_t wanted = std::min(k, num_points());
  // The best so far, and then others that were not worse than the worst of
  // them. To select now and again is faster than a heap.
  std::vector<NearestPoint> best;
  if (wanted == 0) return best;
  const auto before = [](const NearestPoint& a, const NearestPoint& b) {
    return Preferred(a.key, a.id, b.key, b.id);
  };
  const size_t most = wanted + std::max<size_t>(wanted, kLeafSize);
  best.reserve(most);
  NearestPoint worst;
  const auto select = [&] {
    const auto last = best.begin() + static_cast<int64_t>(wanted) - 1;
    std::nth_element(best.begin(), last, best.end(), before);
    worst = *last;
    best.resize(wanted);
  };
  int64_t evaluations = 0;
  VisitNearest(
      tree(), bounds(), query.data(), &worst,
      [&](int32_t leaf, int32_t slot, double key) {
        best.push_back({key, tree().LeafIds(leaf)[slot]});
        if (best.size() == most) select();
      },
      &evaluations);
  evaluations_ += evaluations;
  if (best.size() > wanted) select();
  std::sort(best.begin(), best.end(), before);
  return best;
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::KNearestOfEach(int32_t k,
                                                   TakeKNearest take) const {
  RETURN_IF_ERROR(leaf_tree_internal::CheckK(k, num_points() - 1));
  evaluations_ += KNearestOfLeaves(tree_, tree_, k, tree().num_leaves(),
                                   num_threads_, take, work());
  return NotStopped();
}

template <class Bounds>
absl::StatusOr<double> LeafTreeIndex<Bounds>::KNearestEvaluations(
    int32_t k, int32_t num_leaves) const {
  RETURN_IF_ERROR(leaf_tree_internal::CheckK(k, num_points() - 1));
  // An odd number of steps, so that about as many leaves are left as right
  // children at every level: their costs differ.
  const int32_t visited = std::min(num_leaves | 1, tree().num_leaves());
  std::atomic<int64_t> num_queries = 0;
  const int64_t evaluations =
      KNearestOfLeaves(tree_, tree_, k, visited, num_threads_,
                       [&](int32_t, absl::Span<const double>,
                           absl::Span<const int32_t>) { ++num_queries; });
  evaluations_ += evaluations;
  return static_cast<double>(evaluations) / static_cast<double>(num_queries);
}

template <class Bounds>
absl::Status LeafTreeIndex<Bounds>::KNearestOf(const PointMatrix& queries,
                                               int32_t k,
                                               TakeKNearest take) const {
  RETURN_IF_ERROR(leaf_tree_internal::CheckK(k, num_points()));
  if (queries.num_points == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const BoundedTree<Bounds> tree,
                   TreeOfQueries(tree_, queries, num_threads_));
  evaluations_ += KNearestOfLeaves(tree_, tree, k, tree.tree.num_leaves(),
                                   num_threads_, take, work());
  return NotStopped();
}

template <class Bounds>
absl::StatusOr<NearestPoint> LeafTreeIndex<Bounds>::Nearest(
    absl::Span<const double> query) const {
  ASSIGN_OR_RETURN(std::vector<NearestPoint> nearest, KNearest(query, 1));
  return nearest.empty() ? NearestPoint() : nearest.front();
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_INDEX_INL_H_
