// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/box_tree/box_tree.h"

#include "vptree/leaf_tree/leaf_tree_index_inl.h"

namespace warpclust {

template class LeafTreeIndex<BoxBounds>;

absl::StatusOr<std::unique_ptr<NeighborIndex>> BuildBoxTreeIndex(
    const PointMatrix& points, Norm norm, int num_threads) {
  return BoxTree::Build(points, norm, num_threads);
}

}  // namespace warpclust
