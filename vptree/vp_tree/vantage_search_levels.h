// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches of VP-trees by SIMD level, a file each.

#ifndef WARPCLUST_VPTREE_VP_TREE_VANTAGE_SEARCH_LEVELS_H_
#define WARPCLUST_VPTREE_VP_TREE_VANTAGE_SEARCH_LEVELS_H_

#include <cstdint>

#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/distance_key.h"
#include "vptree/vp_tree/vantage_bounds.h"

namespace warpclust {

const LeafTreeSearch<VantageBounds>& VantageSearchAvx2(Norm norm,
                                                       int32_t num_dimensions);
const LeafTreeSearch<VantageBounds>& VantageSearchAvx512(
    Norm norm, int32_t num_dimensions);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_VP_TREE_VANTAGE_SEARCH_LEVELS_H_
