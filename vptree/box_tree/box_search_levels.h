// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of box trees by SIMD level, a file each.

#ifndef WARPCLUST_VPTREE_BOX_TREE_BOX_SEARCH_LEVELS_H_
#define WARPCLUST_VPTREE_BOX_TREE_BOX_SEARCH_LEVELS_H_

#include <cstdint>

#include "vptree/box_tree/box_bounds.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

const LeafTreeSearch<BoxBounds>& BoxSearchAvx2(Norm norm,
                                               int32_t num_dimensions);
const LeafTreeSearch<BoxBounds>& BoxSearchAvx512(Norm norm,
                                                 int32_t num_dimensions);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BOX_TREE_BOX_SEARCH_LEVELS_H_
