// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How many points the subtrees of a dynamic tree may hold, and which subtrees
// new points overfill: those are rebuilt (dynamic_tree.h). The nearer to the
// root, the emptier a subtree must be, so that a rebuilt subtree has room for a
// while.

#ifndef WARPCLUST_VPTREE_DYNAMIC_SUBTREE_ROOM_H_
#define WARPCLUST_VPTREE_DYNAMIC_SUBTREE_ROOM_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "vptree/leaf_tree/leaf_tree.h"

namespace warpclust {

// A point of a batch and the leaf it goes to.
struct LeafArrival {
  int32_t leaf;
  int32_t row;
};

// Returns how many points a subtree may hold whose root is `level` levels below
// the root of the tree.
int64_t RoomOfSubtree(const LeafTree& tree, int32_t level);

// Returns for each arrival the root of the subtree to rebuild, or -1. The whole
// tree must have room for all arrivals. O(nodes + arrivals * height).
std::vector<int32_t> SubtreesToBuild(const LeafTree& tree,
                                     absl::Span<const LeafArrival> arrivals);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_DYNAMIC_SUBTREE_ROOM_H_
