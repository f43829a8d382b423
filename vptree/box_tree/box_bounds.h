// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BoxBounds: every node of a LeafTree with the bounding box of its points. Keys
// to a box, computed as vptree/points/distance_key.h specifies, bound the
// computed keys to its points without slack.
//
// BuildBounds splits a node at the median of the dimension in which its points
// vary most, by the variance of a sample
// (vptree/points/widest_dimension.h): unlike the sides of the box, a few far
// points seldom decide it. Points with the median's coordinate, of which there
// are many in integer data, are split among themselves in the same way, and in
// the end by their ids. In sparse rows, where most points are ties in most
// dimensions, that takes many rounds: 30,000 binary rows of 300 take three
// times as long to build, and a quarter of the time to search. The order
// depends on the points only.

#ifndef WARPCLUST_VPTREE_BOX_TREE_BOX_BOUNDS_H_
#define WARPCLUST_VPTREE_BOX_TREE_BOX_BOUNDS_H_

#include <cstdint>
#include <vector>

#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct BoxBounds {
  static constexpr char kTreeName[] = "box tree";

  // Box of node i: low[k] = boxes[2 i d + k], high[k] = boxes[(2 i + 1) d + k];
  // low is +infinity and high -infinity for a node without points.
  std::vector<double> boxes;
  // The split of an inner node: the smallest coordinate of its right child in
  // that dimension (0 if the right child is empty).
  std::vector<int32_t> split_dimensions;
  std::vector<double> split_values;

  const double* Box(int32_t node, int32_t num_dimensions) const {
    return boxes.data() + int64_t{2} * node * num_dimensions;
  }
};

// Returns the order of the points for FillLeaves and sets the bounds of all
// nodes. A tree of this height must have room for the points.
std::vector<int32_t> BuildBounds(const PointMatrix& points, Norm norm,
                                 int32_t height, int num_threads,
                                 BoxBounds* bounds);

// The searches for trees with these bounds, at the SIMD level of this CPU.
const LeafTreeSearch<BoxBounds>& SearchFor(const LeafTree& tree,
                                           const BoxBounds& bounds);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BOX_TREE_BOX_BOUNDS_H_
