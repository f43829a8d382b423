// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How a DynamicTree changes the bounds of its nodes: it routes points, splits
// leaves and replaces subtrees. Each function exists for boxes and for vantage
// points.

#ifndef WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_BOUNDS_H_
#define WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_BOUNDS_H_

#include <cstdint>

#include "vptree/box_tree/box_bounds.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/vp_tree/vantage_bounds.h"

namespace warpclust {

// Returns the leaf where a point belongs. Widens the intervals of vantage
// points on the way; boxes are left to RefreshBounds.
int32_t RouteToLeaf(const LeafTree& tree, const double* point,
                    BoxBounds* bounds);
int32_t RouteToLeaf(const LeafTree& tree, const double* point,
                    VantageBounds* bounds);

// Makes room for one more level below `tree`. Its leaves become inner nodes.
void AddLevel(const LeafTree& tree, BoxBounds* bounds);
void AddLevel(const LeafTree& tree, VantageBounds* bounds);

// Splits a leaf that AddLevel made an inner node: writes the order of its slots
// to `slots`, sets the node's bounds, and returns how many of them go left.
int32_t SplitLeaf(const LeafTree& tree, int32_t leaf, int32_t* slots,
                  BoxBounds* bounds);
int32_t SplitLeaf(const LeafTree& tree, int32_t leaf, int32_t* slots,
                  VantageBounds* bounds);

// Replaces the bounds of the subtree at `node` by those of a tree of this
// height.
void ReplaceSubtree(const BoxBounds& subtree, int32_t height, int32_t node,
                    int32_t num_dimensions, BoxBounds* bounds);
void ReplaceSubtree(const VantageBounds& subtree, int32_t height, int32_t node,
                    int32_t num_dimensions, VantageBounds* bounds);

// Makes all boxes as tight as their leaves' boxes allow. Leaves intervals as
// they are.
void RefreshBounds(const LeafTree& tree, const double* leaf_boxes,
                   BoxBounds* bounds);
void RefreshBounds(const LeafTree& tree, const double* leaf_boxes,
                   VantageBounds* bounds);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_DYNAMIC_DYNAMIC_BOUNDS_H_
