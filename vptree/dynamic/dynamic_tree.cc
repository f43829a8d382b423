// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches; how the tree keeps its shape is in dynamic_leaf_tree.cc.

#include "vptree/dynamic/dynamic_tree.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/box_tree/box_bounds.h"
#include "vptree/dynamic/dynamic_leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_all_nearest.h"
#include "vptree/leaf_tree/leaf_tree_all_points.h"
#include "vptree/leaf_tree/leaf_tree_visit.h"
#include "vptree/points/search_arguments.h"
#include "vptree/vp_tree/vantage_bounds.h"

namespace warpclust {
namespace {

// A point counts itself, unless the radius is 0.
int32_t SelfCount(double radius_key) { return radius_key > 0 ? 1 : 0; }

template <class Bounds>
class SearchableTree final : public DynamicLeafTree<Bounds> {
 public:
  SearchableTree(Norm norm, int32_t num_dimensions, int num_threads)
      : DynamicLeafTree<Bounds>(norm, num_dimensions, num_threads),
        num_threads_(num_threads) {}

  using DynamicLeafTree<Bounds>::bounded;
  using DynamicLeafTree<Bounds>::num_ids;

  int64_t distance_evaluations() const override { return evaluations_.load(); }
  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override;
  absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override;
  absl::Status CountMarkedIncidentally(
      double radius_key, absl::Span<const uint8_t> marks,
      absl::Span<int32_t> counts, absl::Span<int32_t> gains) const override;
  absl::Status CountMarkedSeparately(double radius_key,
                                     absl::Span<const uint8_t> marks,
                                     absl::Span<int32_t> counts,
                                     absl::Span<int32_t> gains) const override;
  absl::Status UpdateNearest(absl::Span<const int32_t> ranks,
                             absl::Span<const int32_t> gains,
                             absl::Span<const uint8_t> restart,
                             absl::Span<NearestPoint> nearest) const override;

 private:
  const int num_threads_;
  mutable std::atomic<int64_t> evaluations_{0};
};

template <class Bounds>
absl::Status SearchableTree<Bounds>::CountWithin(
    double radius_key, absl::Span<int32_t> counts) const {
  RETURN_IF_ERROR(CheckLength("counts", counts.size(), num_ids()));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  evaluations_ += CountWithinOfLeaves(bounded(), bounded(), radius_key,
                                      SelfCount(radius_key),
                                      /*stride=*/1, num_threads_, counts);
  return absl::OkStatus();
}

template <class Bounds>
absl::Status SearchableTree<Bounds>::NearestOfHigherRank(
    absl::Span<const int32_t> ranks, absl::Span<NearestPoint> nearest) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_ids()));
  RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), num_ids()));
  // What is known may be of points that have moved since.
  std::fill(nearest.begin(), nearest.end(), NearestPoint());
  evaluations_ += NearestOfHigherRankOfLeaves(
      bounded(), ranks, /*update=*/nullptr, num_threads_, nearest);
  return absl::OkStatus();
}

template <class Bounds>
absl::Status SearchableTree<Bounds>::CountMarkedIncidentally(
    double radius_key, absl::Span<const uint8_t> marks,
    absl::Span<int32_t> counts, absl::Span<int32_t> gains) const {
  RETURN_IF_ERROR(CheckLength("marks", marks.size(), num_ids()));
  RETURN_IF_ERROR(CheckLength("counts", counts.size(), num_ids()));
  RETURN_IF_ERROR(CheckLength("gains", gains.size(), num_ids()));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  const LeafTree& tree = bounded().tree;
  const int32_t d = this->num_dimensions();
  // The gains of whole subtrees and of single slots.
  std::vector<int32_t> node_gains(tree.num_nodes(), 0);
  std::vector<int32_t> slot_gains(tree.leaf_ids.size(), 0);
  const int32_t num_leaves = tree.num_leaves();
  const int32_t self = SelfCount(radius_key);
  int64_t evaluations = 0;
#pragma omp parallel num_threads(num_threads_) reduction(+ : evaluations)
  {
    std::vector<double> row(d);
#pragma omp for schedule(dynamic, 8)
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      const int32_t* ids = tree.LeafIds(leaf);
      for (int32_t slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
        if (marks[ids[slot]] == 0) continue;
        for (int32_t k = 0; k < d; ++k) {
          row[k] = tree.LeafCoordinates(leaf)[int64_t{k} * kLeafSize + slot];
        }
        int32_t count = 0;
        VisitRange(
            tree, bounded().bounds, row.data(), radius_key,
            [&](int32_t node) {
              count += tree.node_counts[node];
              int32_t& gain = node_gains[node];
#pragma omp atomic
              ++gain;
            },
            [&](int32_t other_leaf, int32_t other_slot) {
              ++count;
              int32_t& gain =
                  slot_gains[int64_t{other_leaf} * kLeafSize + other_slot];
#pragma omp atomic
              ++gain;
            },
            &evaluations);
        counts[ids[slot]] = count - self;
      }
    }
  }
  evaluations_ += evaluations;
  for (int32_t node = 0; node < tree.first_leaf(); ++node) {
    node_gains[2 * node + 1] += node_gains[node];
    node_gains[2 * node + 2] += node_gains[node];
  }
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t* ids = tree.LeafIds(leaf);
    const int32_t for_all = node_gains[tree.first_leaf() + leaf];
    for (int32_t slot = 0; slot < tree.leaf_counts[leaf]; ++slot) {
      if (marks[ids[slot]] != 0) continue;
      gains[ids[slot]] +=
          for_all + slot_gains[int64_t{leaf} * kLeafSize + slot];
    }
  }
  return absl::OkStatus();
}

template <class Bounds>
absl::Status SearchableTree<Bounds>::CountMarkedSeparately(
    double radius_key, absl::Span<const uint8_t> marks,
    absl::Span<int32_t> counts, absl::Span<int32_t> gains) const {
  RETURN_IF_ERROR(CheckLength("marks", marks.size(), num_ids()));
  RETURN_IF_ERROR(CheckLength("counts", counts.size(), num_ids()));
  RETURN_IF_ERROR(CheckLength("gains", gains.size(), num_ids()));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  const int32_t d = this->num_dimensions();
  PointMatrix rows;
  rows.num_dimensions = d;
  std::vector<int32_t> ids;
  std::vector<double> row(d);
  for (int32_t id = 0; id < num_ids(); ++id) {
    if (marks[id] == 0 || !this->IsLive(id)) continue;
    ids.push_back(id);
    this->CopyPoint(id, row.data());
    rows.values.insert(rows.values.end(), row.begin(), row.end());
  }
  if (ids.empty()) return absl::OkStatus();
  rows.num_points = static_cast<int32_t>(ids.size());
  const BoundedTree<Bounds> marked =
      BuildTree<Bounds>(rows, ids, bounded().tree.norm,
                        LeafTreeHeight(rows.num_points), num_threads_);
  std::vector<int32_t> gained(num_ids(), 0);
  evaluations_ +=
      CountWithinOfLeaves(bounded(), marked, radius_key, SelfCount(radius_key),
                          /*stride=*/1, num_threads_, counts);
  evaluations_ +=
      CountWithinOfLeaves(marked, bounded(), radius_key, /*self=*/0,
                          /*stride=*/1, num_threads_, absl::MakeSpan(gained));
  for (int32_t id = 0; id < num_ids(); ++id) {
    if (marks[id] == 0) gains[id] += gained[id];
  }
  return absl::OkStatus();
}

template <class Bounds>
absl::Status SearchableTree<Bounds>::UpdateNearest(
    absl::Span<const int32_t> ranks, absl::Span<const int32_t> gains,
    absl::Span<const uint8_t> restart, absl::Span<NearestPoint> nearest) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_ids()));
  RETURN_IF_ERROR(CheckLength("gains", gains.size(), num_ids()));
  RETURN_IF_ERROR(CheckLength("restart", restart.size(), num_ids()));
  RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), num_ids()));
  const NearestUpdate update = {gains, restart};
  evaluations_ += NearestOfHigherRankOfLeaves(bounded(), ranks, &update,
                                              num_threads_, nearest);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<DynamicTree>> DynamicTree::Create(
    Kind kind, Norm norm, int32_t num_dimensions, int num_threads) {
  if (num_dimensions < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least one dimension, found ", num_dimensions));
  }
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  const int threads = ResolveThreads(num_threads);
  std::unique_ptr<DynamicTree> tree;
  if (kind == Kind::kBox) {
    tree.reset(new SearchableTree<BoxBounds>(norm, num_dimensions, threads));
  } else {
    tree.reset(
        new SearchableTree<VantageBounds>(norm, num_dimensions, threads));
  }
  return tree;
}

}  // namespace warpclust
