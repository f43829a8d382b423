// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The SIMD levels that leaf_tree_search.cc chooses among, one file each. Each
// file defines its vectors and includes the same loops, leaf_tree_*.inc.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_LEVELS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_LEVELS_H_

#include <cstdint>

#include "vptree/leaf_tree/leaf_tree_search.h"

namespace warpclust {

#if defined(__x86_64__)
namespace leaf_tree_avx2 {
const LeafTreeSearch<BoxBounds>& BoxTreeSearch(Norm norm, int32_t dimensions);
const LeafTreeSearch<VantageBounds>& VpTreeSearch(Norm norm,
                                                  int32_t dimensions);
}  // namespace leaf_tree_avx2

namespace leaf_tree_avx512 {
const LeafTreeSearch<BoxBounds>& BoxTreeSearch(Norm norm, int32_t dimensions);
const LeafTreeSearch<VantageBounds>& VpTreeSearch(Norm norm,
                                                  int32_t dimensions);
}  // namespace leaf_tree_avx512
#endif  // defined(__x86_64__)

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SEARCH_LEVELS_H_
