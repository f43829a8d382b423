// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the searches of a LeafTree are compiled from. For each kind of bounds
// and each SIMD level there is one file, which includes in this order, inside
// an unnamed namespace:
//
//   vectors_LEVEL.inc      WARPCLUST_TARGET, WARPCLUST_INLINE, and Vector with
//                          its operations
//   leaf_tree_keys.inc     keys of vectors of points
//   KIND_keys.inc          what the bounds say, in the room of the tree:
//     DecideChildren       for each child of a node, which of the lanes in
//                          `mask` have all of its points within the radius, and
//                          which some, perhaps
//     PrepareNode          computes what LowerKeysOfChild needs for both
//                          children of a node
//     LowerKeysOfChild     lower[lane] bounds the keys from that lane to the
//                          points of child c from below; *order says which
//                          child to visit first. May return false where no lane
//                          can have a point of key <= max_key there.
//     ChildKeysOfPoint     LeafTreeSearch::child_keys
//   leaf_tree_table.inc    the searches (leaf_tree_count.inc,
//                          leaf_tree_count_each.inc, leaf_tree_label.inc,
//                          leaf_tree_groups.inc, leaf_tree_nearest.inc,
//                          leaf_tree_k_nearest.inc,
//                          leaf_tree_nearest_point.inc), and Table, which lists
//                          them. Where vectors_LEVEL.inc defines
//                          WARPCLUST_HAS_CODES, also leaf_tree_codes.inc;
//                          where it defines WARPCLUST_HAS_LISTS, the searches
//                          for nearest points take their lists from it.
//
// All files of a kind are compiled with the same flags: a level is a target
// attribute of each function (WARPCLUST_TARGET).

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SIMD_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SIMD_H_

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_SIMD_H_
