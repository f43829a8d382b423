// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Both trees, for tests of what they share.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_TESTING_MAKE_TREES_H_
#define WARPCLUST_VPTREE_LEAF_TREE_TESTING_MAKE_TREES_H_

#include <memory>
#include <vector>

#include "vptree/box_tree/box_tree.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {

inline std::vector<std::unique_ptr<NeighborIndex>> MakeTrees(
    const PointMatrix& points, Norm norm, int num_threads) {
  std::vector<std::unique_ptr<NeighborIndex>> trees;
  trees.push_back(*BuildBoxTreeIndex(points, norm, num_threads));
  trees.push_back(*BuildVpTreeIndex(points, norm, num_threads));
  return trees;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_TESTING_MAKE_TREES_H_
