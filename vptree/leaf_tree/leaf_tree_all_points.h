// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of neighbor_index.h for all points of a LeafTree, a leaf of
// queries at a time, over the leaves in parallel; for static and dynamic trees.
//
// Arrays are by point id and as long as the largest id demands; elements of ids
// that are not in the tree are left alone. Functions return the distances that
// they computed.
//
// Thread-safety: pure functions of their arguments.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_POINTS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_POINTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

template <class Bounds>
struct BoundedTree {
  LeafTree tree;
  Bounds bounds;
  // Of each leaf the box of its points: low of each dimension, then high.
  std::vector<double> leaf_boxes;
};

// Sets leaf_boxes of one leaf, and of all.
template <class Bounds>
void UpdateLeafBox(int32_t leaf, BoundedTree<Bounds>* tree);
template <class Bounds>
void UpdateLeafBoxes(BoundedTree<Bounds>* tree);

// counts[i] = the points of `tree` with key < radius_key, less `self`, for the
// points i of every stride-th leaf of `queries`; `counts` may be empty.
template <class Bounds>
int64_t CountWithinOfLeaves(const BoundedTree<Bounds>& tree,
                            const BoundedTree<Bounds>& queries,
                            double radius_key, int32_t self, int32_t stride,
                            int num_threads, absl::Span<int32_t> counts);

// What NearestOfHigherRank may build on, by id: nothing where restart is not 0.
// Elsewhere nearest[i] is the answer of before some ranks changed, still of
// higher rank, and only points whose gain is above gains[i] have come to be of
// higher rank than i.
struct NearestUpdate {
  absl::Span<const int32_t> gains;
  absl::Span<const uint8_t> restart;
};

// `update` may be null: from nothing.
template <class Bounds>
int64_t NearestOfHigherRankOfLeaves(const BoundedTree<Bounds>& tree,
                                    absl::Span<const int32_t> ranks,
                                    const NearestUpdate* update,
                                    int num_threads,
                                    absl::Span<NearestPoint> nearest);

// best[i] = num_ranks if there is none.
template <class Bounds>
int64_t HighestRankOfOtherLabelOfLeaves(const BoundedTree<Bounds>& tree,
                                        double radius_key,
                                        absl::Span<const int32_t> ranks,
                                        absl::Span<const int32_t> labels,
                                        int32_t num_ranks, int num_threads,
                                        absl::Span<int32_t> best);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_ALL_POINTS_H_
