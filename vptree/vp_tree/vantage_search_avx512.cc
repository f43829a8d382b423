// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_simd.h"
#include "vptree/vp_tree/vantage_search_levels.h"

#if defined(__x86_64__)
namespace warpclust {
namespace {

#include "vptree/leaf_tree/vectors_avx512.inc"
// Keys, by these vectors.
#include "vptree/leaf_tree/leaf_tree_keys.inc"
// What vantage points say.
#include "vptree/vp_tree/vantage_keys.inc"
// The searches, by both.
#include "vptree/leaf_tree/leaf_tree_table.inc"

}  // namespace

const LeafTreeSearch<VantageBounds>& VantageSearchAvx512(
    Norm norm, int32_t num_dimensions) {
  return Table<VantageBounds>(norm, num_dimensions);
}

}  // namespace warpclust
#endif  // defined(__x86_64__)
