// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/vp_tree/vp_tree.h"

#include "vptree/leaf_tree/leaf_tree_index_inl.h"

namespace warpclust {

template class LeafTreeIndex<VantageBounds>;

absl::StatusOr<std::unique_ptr<NeighborIndex>> BuildVpTreeIndex(
    const PointMatrix& points, Norm norm, int num_threads) {
  return VpTree::Build(points, norm, num_threads);
}

}  // namespace warpclust
