// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Vantage point tree, in the vectorized layout of Liu et al. 2023, section 3:
// a balanced tree over leaves of at most 32 points, each node split at the
// median distance from a vantage point. The NeighborIndex that needs nothing of
// the coordinates but the triangle inequality: in more dimensions than boxes
// can bound, while the data lie near fewer.
//
// Beyond the paper: both children keep the interval of their distances, bounds
// have a proved slack (vantage_bounds.h), and a whole leaf of queries goes down
// the tree at once, each lane with its own decisions.

#ifndef WARPCLUST_VPTREE_VP_TREE_VP_TREE_H_
#define WARPCLUST_VPTREE_VP_TREE_VP_TREE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "vptree/leaf_tree/leaf_tree_index.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vantage_bounds.h"

namespace warpclust {

// Its searches: leaf_tree_index.h.
using VpTree = LeafTreeIndex<VantageBounds>;

// `num_threads` 0: all cores. The index keeps its own copy of the points.
// InvalidArgument if they are not valid.
absl::StatusOr<std::unique_ptr<NeighborIndex>> BuildVpTreeIndex(
    const PointMatrix& points, Norm norm, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_VP_TREE_VP_TREE_H_
