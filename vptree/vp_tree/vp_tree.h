// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Vantage point tree in the vectorized layout of Liu et al. 2023, section 3: a
// balanced tree over leaves of at most 32 points. A node is split at the median
// distance from a vantage point. It is the NeighborIndex that uses nothing of
// the coordinates but the triangle inequality: for more dimensions than boxes
// bound well, if the data lie near fewer. Searches: leaf_tree_index.h.
//
// The paper's vantage array is VantageBounds (vantage_bounds.h); its leaf and
// data arrays are LeafTree::leaf_ids and LeafTree::coordinates (leaf_tree.h).
//
// Beyond the paper: both children keep the interval of their distances, bounds
// have a proved slack, and a whole leaf of queries descends at once, each lane
// with its own decisions.

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

using VpTree = LeafTreeIndex<VantageBounds>;

// `num_threads` 0: all cores. The index keeps its own copy of the points.
// InvalidArgument if they are invalid.
absl::StatusOr<std::unique_ptr<NeighborIndex>> BuildVpTreeIndex(
    const PointMatrix& points, Norm norm, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_VP_TREE_VP_TREE_H_
