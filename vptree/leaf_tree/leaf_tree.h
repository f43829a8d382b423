// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafTree: the arrays of every tree of this package, static or dynamic, on the
// CPU or on the GPU (Liu et al. 2023, section 3.2). There are no pointers.
//
// A complete binary tree over 2^height leaves. Nodes are implicit: the root is
// node 0, the children of node i are 2i + 1 and 2i + 2, and leaf l is node
// 2^height - 1 + l. A leaf holds up to kLeafSize = 32 points: a warp of a GPU,
// or four vectors of AVX-512.
//
// The implicit numbering requires that all leaves are at one depth. A static
// tree divides a permutation of the points evenly: node j of level l covers the
// positions [n j >> l, n (j + 1) >> l). So halves differ by at most one point,
// leaves hold the floor or the ceiling of n / 2^height points, and height is
// the smallest that fits. A dynamic tree has the same arrays with free slots.
//
// The bounds of subtrees are beside the tree: BoxBounds (vptree/box_tree) or
// VantageBounds (vptree/vp_tree).
//
// Memory: a copy of the coordinates, padded to whole leaves (at most twice the
// points' own), and about 6 bytes per point.

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

// A tree has at most 2^kMaxTreeHeight leaves, which is enough for 2^31 points.
inline constexpr int32_t kMaxTreeHeight = 27;

struct LeafTree {
  Norm norm = Norm::kL2;
  int32_t num_points = 0;
  int32_t num_dimensions = 0;
  int32_t height = 0;

  // The paper's leaf array: leaf l has the points leaf_ids[32 l + slot] for
  // slot < leaf_counts[l]. Other slots are -1.
  AlignedVector<int32_t> leaf_ids;
  std::vector<int32_t> leaf_counts;
  // The paper's data array: coordinate k of the point in a slot is
  // coordinates[(l d + k) 32 + slot]. Empty slots are +infinity, which is
  // within no radius.
  AlignedVector<double> coordinates;
  // For each node the number of its points, and the smallest of their ids,
  // INT32_MAX without points.
  std::vector<int32_t> node_counts;
  std::vector<int32_t> node_min_ids;

  int32_t num_leaves() const { return int32_t{1} << height; }
  int32_t num_nodes() const { return 2 * num_leaves() - 1; }
  // Returns the node of leaf 0.
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

// The nearest other points of each point, best first, by slot: kKeptNeighbors
// slots for each. Where there are fewer, the slot itself fills the rest.
inline constexpr int32_t kKeptNeighbors = 8;
struct LeafNeighbors {
  bool empty() const { return slots.capacity() == 0; }

  AlignedBuffer<int32_t> slots;
};

// Returns the smallest height whose leaves hold num_points.
int32_t LeafTreeHeight(int32_t num_points);

// Returns where node j of a level begins in the permutation of a static tree.
inline int32_t FirstPosition(int32_t num_points, int32_t level, int32_t j) {
  return static_cast<int32_t>((int64_t{num_points} * j) >> level);
}

// Returns a tree without points.
LeafTree EmptyLeafTree(Norm norm, int32_t num_dimensions, int32_t height,
                       int num_threads = 1);

// Overwrites the 2^height leaves from first_leaf on with the points in the
// given order, divided evenly, at most 32 per leaf. Point i has the id ids[i],
// or i if `ids` is empty. Does not update node counts.
void FillLeaves(const PointMatrix& points, absl::Span<const int32_t> order,
                absl::Span<const int32_t> ids, int32_t height,
                int32_t first_leaf, int num_threads, LeafTree* tree);

// Sets node_min_ids of a leaf's node from the leaf's slots.
void UpdateLeafMinId(int32_t leaf, LeafTree* tree);

// Sets node_counts, and the node_min_ids of inner nodes, from the leaves.
void UpdateInnerNodes(LeafTree* tree);

// Returns the box of each node of a tree, in order, each as in `leaf_boxes`.
std::vector<double> NodeBoxes(const LeafTree& tree,
                              const std::vector<double>& leaf_boxes);

// Sets the boxes of inner nodes from those of the leaves.
void SetInnerBoxes(int32_t num_dimensions, std::vector<double>* node_boxes);

// Filtering points by boxes does not pay in more dimensions.
inline constexpr int32_t kMaxFilterDimensions = 16;

// Up to kBlocks = 2^kBlocksHeight leaves below a node share the way down from
// the root.
inline constexpr int kBlocksHeight = 3;
inline constexpr int kBlocks = 1 << kBlocksHeight;

// Sets the boxes of the leaves below a node side by side: coordinate k of the
// box of leaf b is (*block_boxes)[2 k kBlocks + b] at the low end and
// (*block_boxes)[(2 k + 1) kBlocks + b] at the high end. Leaves that are not
// there are empty.
void SetBlockBoxes(const LeafTree& tree, const double* node_boxes, int32_t node,
                   AlignedVector<double>* block_boxes);

// The boxes of the nodes of every third level, kBlocks nodes below one node
// side by side as SetBlockBoxes has them.
struct WideBoxes {
  struct Level {
    int32_t depth;
    int32_t nodes;
    int64_t first_block;
  };
  // The leaves first. The last level has at most kBlocks nodes; a tree of one
  // leaf has no level.
  std::vector<Level> levels;
  AlignedVector<double> boxes;
};
WideBoxes MakeWideBoxes(const LeafTree& tree, const double* node_boxes);

inline const double* NodeBox(const double* node_boxes, int32_t node,
                             int32_t num_dimensions) {
  return node_boxes + int64_t{2} * node * num_dimensions;
}

// Sets the box of one leaf, whose place `leaf_boxes` has, and those of all.
void UpdateLeafBox(const LeafTree& tree, int32_t leaf,
                   std::vector<double>* leaf_boxes);
void UpdateLeafBoxes(const LeafTree& tree, int num_threads,
                     std::vector<double>* leaf_boxes);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_H_
