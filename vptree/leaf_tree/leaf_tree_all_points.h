// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of neighbor_index.h for all points of a static or dynamic
// LeafTree: a leaf of queries at a time, the leaves in parallel. Include it
// only in files that are compiled with OpenMP.
//
// Arrays are by point id and as long as the largest id requires; elements of
// ids that are not in the tree stay as they are. Functions return the number of
// distances that they computed. Once the owner of `work` asks for the end, they
// skip the leaves that are left.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_POINTS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_POINTS_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_counts.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {

namespace leaf_tree_internal {

// Returns values[id] for each slot of the leaves, `empty` for empty slots.
AlignedVector<int32_t> BySlot(const LeafTree& tree,
                              absl::Span<const int32_t> values, int32_t empty,
                              int num_threads);

// Returns for each node the smallest value of its slots.
std::vector<int32_t> NodeMinima(const LeafTree& tree,
                                const AlignedVector<int32_t>& by_slot,
                                int num_threads);

// Returns for each node the largest gain of its points.
std::vector<int32_t> NodeMaxGains(const LeafTree& tree,
                                  absl::Span<const int32_t> gains,
                                  int num_threads);

// Ranks and labels by slot, and what nodes have of them.
struct SlotLabels {
  SlotLabels() = default;
  // A copy would have the ranks of the original.
  SlotLabels(SlotLabels&&) = default;

  // INT32_MAX for empty slots.
  absl::Span<const int32_t> ranks;
  // The ranks, unless they are elsewhere.
  AlignedVector<int32_t> own_ranks;
  AlignedVector<int32_t> labels;
  std::vector<LabelSummary> summaries;

  LeafTreeLabels View() const {
    return {ranks.data(), labels.data(), summaries.data()};
  }
};

// Points of rank `end_rank` or more are in no summary. `slot_ranks` are empty
// or BySlot of the ranks, which are then not read; they must outlive the
// result.
SlotLabels LabelsBySlot(const LeafTree& tree, absl::Span<const int32_t> ranks,
                        absl::Span<const int32_t> slot_ranks,
                        absl::Span<const int32_t> labels, int32_t end_rank,
                        int num_threads);

// Whether all coordinates are integers of at most 2^20 in magnitude, so that
// squared distances are exact in up to 16 dimensions.
bool IsIntegral(const LeafTree& tree);

template <class Bounds>
QueryBlock BlockOfLeaf(const BoundedTree<Bounds>& tree, int32_t leaf) {
  return {tree.tree.LeafCoordinates(leaf),
          tree.leaf_boxes.data() + int64_t{2} * leaf * tree.tree.num_dimensions,
          tree.tree.leaf_counts[leaf]};
}

// Returns the boxes of the nodes, which NodeBoxes sets if the bounds have none.
template <class Bounds>
const double* BoxesOfNodes(const BoundedTree<Bounds>& tree,
                           std::vector<double>* boxes) {
  if constexpr (requires { tree.bounds.boxes; }) {
    return tree.bounds.boxes.data();
  } else {
    *boxes = NodeBoxes(tree.tree, tree.leaf_boxes);
    return boxes->data();
  }
}

}  // namespace leaf_tree_internal

// Builds a tree of this height, which must have room for the points. Point i
// has the id ids[i], or i if `ids` is empty.
template <class Bounds>
BoundedTree<Bounds> BuildTree(const PointMatrix& points,
                              absl::Span<const int32_t> ids, Norm norm,
                              int32_t height, int num_threads) {
  BoundedTree<Bounds> tree;
  const std::vector<int32_t> order =
      BuildBounds(points, norm, height, num_threads, &tree.bounds);
  tree.tree = EmptyLeafTree(norm, points.num_dimensions, height, num_threads);
  FillLeaves(points, order, ids, height, /*first_leaf=*/0, num_threads,
             &tree.tree);
  UpdateInnerNodes(&tree.tree);
  UpdateLeafBoxes(tree.tree, num_threads, &tree.leaf_boxes);
  return tree;
}

// Sets counts[i] to the number of points of `tree` with key < radius_key, minus
// `self`, for the points i of every stride-th leaf of `queries`. `counts` may
// be empty.
template <class Bounds>
int64_t CountWithinOfLeaves(const BoundedTree<Bounds>& tree,
                            const BoundedTree<Bounds>& queries,
                            double radius_key, int32_t self, int32_t stride,
                            int num_threads, absl::Span<int32_t> counts,
                            const WorkShare* work = nullptr) {
  const LeafTreeSearch<Bounds>& search = SearchFor(tree.tree, tree.bounds);
  const int32_t num_leaves = queries.tree.num_leaves();
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads)                   \
    schedule(dynamic, ChunkFor(num_leaves / stride, num_threads)) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; leaf += stride) {
    const int32_t count = queries.tree.leaf_counts[leaf];
    if (count == 0 || StopRequested(work)) continue;
    int32_t found[kLeafSize];
    search.count_within(tree.tree, tree.bounds,
                        leaf_tree_internal::BlockOfLeaf(queries, leaf),
                        radius_key, found, &evaluations);
    if (counts.empty()) continue;
    const int32_t* ids = queries.tree.LeafIds(leaf);
    for (int slot = 0; slot < count; ++slot) {
      counts[ids[slot]] = found[slot] - self;
    }
  }
  return evaluations;
}

// Sets `found` to how many points are within each of up to kMostRadii radii of
// the point of each slot, which counts itself. The keys ascend.
template <class Bounds>
int64_t CountBySlot(const BoundedTree<Bounds>& tree,
                    absl::Span<const double> radius_keys, int num_threads,
                    LeafCounts* found) {
  const LeafTreeSearch<Bounds>& search = SearchFor(tree.tree, tree.bounds);
  const int32_t num_leaves = tree.tree.num_leaves();
  const double* keys = radius_keys.data();
  const auto radii = static_cast<int>(radius_keys.size());
  const bool integral = leaf_tree_internal::IsIntegral(tree.tree);
  std::vector<double> boxes;
  const double* node_boxes = leaf_tree_internal::BoxesOfNodes(tree, &boxes);
  const int32_t group_height = std::min(tree.tree.height, kBlocksHeight);
  const int32_t num_groups = num_leaves >> group_height;
  int64_t evaluations = 0;
#pragma omp parallel num_threads(num_threads) reduction(+ : evaluations)
  {
    ReachedNodes reached;
    reached.node_boxes = node_boxes;
#pragma omp for schedule(static)
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) found->Clear(leaf);
#pragma omp for schedule(dynamic, ChunkFor(num_groups, num_threads))
    for (int32_t group = 0; group < num_groups; ++group) {
      const int32_t node = num_groups - 1 + group;
      if (tree.tree.node_counts[node] == 0) continue;
      search.reach_each(tree.tree, node, keys, radii, &reached, &evaluations);
      for (int32_t leaf = group << group_height;
           leaf < (group + 1) << group_height; ++leaf) {
        if (tree.tree.leaf_counts[leaf] == 0) continue;
        search.count_within_each(tree.tree, leaf, keys, radii, integral,
                                 reached, leaf % kBlocks, found, &evaluations);
      }
    }
  }
  return evaluations;
}

// Sets counts[r][i] to the number of other points within radius_keys[r] of
// point i, for up to kMostRadii radii. The keys ascend. `found` gets the same
// by slot, as CountBySlot sets it.
template <class Bounds>
int64_t CountWithinEachOfLeaves(const BoundedTree<Bounds>& tree,
                                absl::Span<const double> radius_keys,
                                int num_threads, int32_t* const* counts,
                                LeafCounts* found) {
  const int64_t evaluations =
      CountBySlot(tree, radius_keys, num_threads, found);
  const int32_t num_leaves = tree.tree.num_leaves();
#pragma omp parallel num_threads(num_threads)
  for (size_t r = 0; r < radius_keys.size(); ++r) {
    // A point counts itself, unless nothing is within the radius.
    const int32_t self = radius_keys[r] > 0 ? 1 : 0;
#pragma omp for schedule(static) nowait
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      const int32_t* ids = tree.tree.LeafIds(leaf);
      const int32_t* of_slots = found->OfRadius(leaf, static_cast<int>(r));
      for (int slot = 0; slot < tree.tree.leaf_counts[leaf]; ++slot) {
        counts[r][ids[slot]] = of_slots[slot] - self;
      }
    }
  }
  return evaluations;
}

// A tree of points that search in `tree`: those of a leaf lie near each other.
// InvalidArgument if they are not valid, or of other dimensions.
template <class Bounds>
absl::StatusOr<BoundedTree<Bounds>> TreeOfQueries(
    const BoundedTree<Bounds>& tree, const PointMatrix& queries,
    int num_threads) {
  RETURN_IF_ERROR(queries.Validate(num_threads));
  RETURN_IF_ERROR(CheckLength("query coordinates", queries.num_dimensions,
                              tree.tree.num_dimensions));
  return BuildTree<Bounds>(queries, /*ids=*/{}, tree.tree.norm,
                           LeafTreeHeight(queries.num_points), num_threads);
}

// Lowers `best` of the points of `queries`, which have `query_labels`, as
// NeighborIndex::HighestRankOfOtherLabelOf does. `queries` may be `bounded`.
template <class Bounds>
int64_t HighestRankOfOtherLabelOfLeaves(
    const BoundedTree<Bounds>& bounded, const BoundedTree<Bounds>& queries,
    double radius_key, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> labels, absl::Span<const int32_t> query_labels,
    int num_threads, absl::Span<int32_t> best,
    const WorkShare* work = nullptr) {
  const LeafTree& tree = bounded.tree;
  const leaf_tree_internal::SlotLabels by_slot =
      leaf_tree_internal::LabelsBySlot(tree, ranks, /*slot_ranks=*/{}, labels,
                                       std::numeric_limits<int32_t>::max(),
                                       num_threads);
  const LeafTreeSearch<Bounds>& search = SearchFor(tree, bounded.bounds);
  const LeafTreeLabels tree_labels = by_slot.View();
  const int32_t num_leaves = queries.tree.num_leaves();
  int64_t evaluations = 0;
#pragma omp parallel for num_threads(num_threads) \
    schedule(dynamic, ChunkFor(num_leaves, num_threads)) \
    reduction(+ : evaluations)
  for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
    const int32_t count = queries.tree.leaf_counts[leaf];
    if (count == 0 || StopRequested(work)) continue;
    const int32_t* ids = queries.tree.LeafIds(leaf);
    LabelBlock block;
    std::fill_n(block.best, kLeafSize, 0);
    for (int slot = 0; slot < count; ++slot) block.best[slot] = best[ids[slot]];
    if (*std::max_element(block.best, block.best + kLeafSize) <= 0) continue;
    for (int slot = 0; slot < kLeafSize; ++slot) {
      block.labels[slot] = slot < count ? query_labels[ids[slot]] : 0;
    }
    search.highest_rank_of_other_label(
        tree, bounded.bounds, tree_labels,
        leaf_tree_internal::BlockOfLeaf(queries, leaf), radius_key, &block,
        &evaluations);
    for (int slot = 0; slot < count; ++slot) best[ids[slot]] = block.best[slot];
  }
  return evaluations;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_POINTS_H_
