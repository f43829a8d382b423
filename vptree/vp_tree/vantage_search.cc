// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches without SIMD, and the choice of the level.

#include "base/machine/cpu_features.h"
#include "vptree/leaf_tree/leaf_tree_simd.h"
#include "vptree/vp_tree/vantage_bounds.h"
#include "vptree/vp_tree/vantage_search_levels.h"

namespace warpclust {
namespace {

#include "vptree/leaf_tree/vectors_baseline.inc"
// Keys, by these vectors.
#include "vptree/leaf_tree/leaf_tree_keys.inc"
// What vantage points say.
#include "vptree/vp_tree/vantage_keys.inc"
// The searches, by both.
#include "vptree/leaf_tree/leaf_tree_table.inc"

}  // namespace

const LeafTreeSearch<VantageBounds>& SearchFor(const LeafTree& tree,
                                               const VantageBounds&) {
#if defined(__x86_64__)
  switch (CpuSimdLevel()) {
    case SimdLevel::kAvx512:
      return VantageSearchAvx512(tree.norm, tree.num_dimensions);
    case SimdLevel::kAvx2:
      return VantageSearchAvx2(tree.norm, tree.num_dimensions);
    case SimdLevel::kBaseline:
      break;
  }
#endif
  return Table<VantageBounds>(tree.norm, tree.num_dimensions);
}

}  // namespace warpclust
