// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafTree: the arrays that every tree of this package is made of, static or
// dynamic, on the CPU or on the GPU (Liu et al. 2023, section 3.2: vantage
// array, leaf array and data array; no pointers).
//
// A complete binary tree over 2^height leaves. Nodes are implicit: the root is
// node 0, the children of node i are 2i + 1 and 2i + 2, leaf l is node
// 2^height - 1 + l. A leaf holds up to kLeafSize points, 32: a warp of a GPU,
// one cache line of ids, four vectors of AVX-512.
//
// All leaves are at one depth, as the implicit numbering demands. A static tree
// divides a permutation of the points evenly: node j of level l covers the
// positions [n j >> l, n (j + 1) >> l), so halves differ by at most one point,
// and leaves hold the floor or the ceiling of n / 2^height; height is the
// smallest that fits. A dynamic tree keeps the same arrays with free slots.
//
// How subtrees are bounded, by boxes or by distances to a vantage point, is
// beside it: box_bounds.h, vantage_bounds.h.
//
// Memory: a copy of the coordinates, padded to whole leaves (at most twice the
// points' own), and about 6 bytes a point.
//
// Thread-safety: plain values.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/machine/aligned_buffer.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

inline constexpr int32_t kLeafSize = 32;

// Trees have at most 2^kMaxTreeHeight leaves: more than 2^31 points need.
inline constexpr int32_t kMaxTreeHeight = 27;

struct LeafTree {
  Norm norm = Norm::kL2;
  int32_t num_points = 0;
  int32_t num_dimensions = 0;
  int32_t height = 0;

  // Leaf l has the points leaf_ids[32 l + slot], slot < leaf_counts[l]; the
  // rest is -1.
  AlignedVector<int32_t> leaf_ids;
  std::vector<int32_t> leaf_counts;
  // Coordinate k of the point in a slot is coordinates[(l d + k) 32 + slot];
  // empty slots are +infinity, which is within no radius.
  AlignedVector<double> coordinates;
  // Of each node: its points, and the smallest of their ids (INT32_MAX: none).
  std::vector<int32_t> node_counts;
  std::vector<int32_t> node_min_ids;

  int32_t num_leaves() const { return int32_t{1} << height; }
  int32_t num_nodes() const { return 2 * num_leaves() - 1; }
  // The node of leaf 0.
  int32_t first_leaf() const { return num_leaves() - 1; }

  const int32_t* LeafIds(int32_t leaf) const {
    return leaf_ids.data() + int64_t{leaf} * kLeafSize;
  }
  const double* LeafCoordinates(int32_t leaf) const {
    return coordinates.data() + int64_t{leaf} * num_dimensions * kLeafSize;
  }
  double* LeafCoordinates(int32_t leaf) {
    return coordinates.data() + int64_t{leaf} * num_dimensions * kLeafSize;
  }
};

// A tree with its bounds: BoxBounds or VantageBounds.
template <class Bounds>
struct BoundedTree {
  LeafTree tree;
  Bounds bounds;
  // For each leaf the box of its points: low of each dimension, then high.
  std::vector<double> leaf_boxes;
};

// The smallest height whose leaves hold num_points.
int32_t LeafTreeHeight(int32_t num_points);

// Where node j of a level begins in the permutation of a static tree.
inline int32_t FirstPosition(int32_t num_points, int32_t level, int32_t j) {
  return static_cast<int32_t>((int64_t{num_points} * j) >> level);
}

// A tree without points.
LeafTree EmptyLeafTree(Norm norm, int32_t num_dimensions, int32_t height);

// Fills the 2^height leaves from first_leaf on, whatever they held, with the
// points in the given order, divided evenly; at most 32 a leaf. Point i has the
// id ids[i], or i if `ids` is empty. Node counts are not updated.
void FillLeaves(const PointMatrix& points, absl::Span<const int32_t> order,
                absl::Span<const int32_t> ids, int32_t height,
                int32_t first_leaf, int num_threads, LeafTree* tree);

// Sets node_min_ids of a leaf's node from its slots.
void UpdateLeafMinId(int32_t leaf, LeafTree* tree);

// Sets node_counts, and the node_min_ids of inner nodes, from the leaves'.
void UpdateInnerNodes(LeafTree* tree);

// Sets the box of one leaf, whose place `leaf_boxes` has, and those of all.
void UpdateLeafBox(const LeafTree& tree, int32_t leaf,
                   std::vector<double>* leaf_boxes);
void UpdateLeafBoxes(const LeafTree& tree, std::vector<double>* leaf_boxes);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_H_
