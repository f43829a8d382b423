// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Box tree: a balanced kd-tree over leaves of at most 32 points. A node is
// split at the median of the dimension in which its points vary most, and has
// their bounding box. It is the NeighborIndex for few dimensions. Boxes decide
// without slack (vptree/points/distance_key.h), and a node whose box lies
// within the radius of a whole leaf of queries is counted unseen. Searches:
// leaf_tree_index.h.

#ifndef WARPCLUST_VPTREE_BOX_TREE_BOX_TREE_H_
#define WARPCLUST_VPTREE_BOX_TREE_BOX_TREE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "vptree/box_tree/box_bounds.h"
#include "vptree/leaf_tree/leaf_tree_index.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

using BoxTree = LeafTreeIndex<BoxBounds>;

// `num_threads` 0: all cores. The index keeps its own copy of the points.
// InvalidArgument if they are invalid.
absl::StatusOr<std::unique_ptr<NeighborIndex>> BuildBoxTreeIndex(
    const PointMatrix& points, Norm norm, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BOX_TREE_BOX_TREE_H_
