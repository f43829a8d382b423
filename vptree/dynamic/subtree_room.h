// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// How many points the subtrees of a tree that changes may hold, and which of
// them new points fill beyond that: those are built anew (dynamic_tree.h says
// how). The nearer to the root, the emptier a subtree must be, so that what was
// built has room before it is built again.
//
// Thread-safety: concurrent calls are safe. Determinism: a function of the
// counts alone.

#ifndef WARPCLUST_VPTREE_DYNAMIC_SUBTREE_ROOM_H_
#define WARPCLUST_VPTREE_DYNAMIC_SUBTREE_ROOM_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "vptree/leaf_tree/leaf_tree.h"

namespace warpclust {

// A point of a batch, and the leaf that it goes to.
struct LeafArrival {
  int32_t leaf;
  int32_t row;
};

// The points that a subtree may hold whose root is `level` levels below that of
// the tree.
int64_t RoomOfSubtree(const LeafTree& tree, int32_t level);

// Of each arrival the root of the subtree to build anew, -1 for none. There
// must be room for all of them in the whole tree. O(nodes + arrivals * height).
std::vector<int32_t> SubtreesToBuild(const LeafTree& tree,
                                     absl::Span<const LeafArrival> arrivals);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_DYNAMIC_SUBTREE_ROOM_H_
