// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The searches without SIMD, and the choice of the level.

#include "base/machine/cpu_features.h"
#include "vptree/box_tree/box_bounds.h"
#include "vptree/box_tree/box_search_levels.h"
#include "vptree/leaf_tree/leaf_tree_simd.h"

namespace warpclust {
namespace {

#include "vptree/leaf_tree/vectors_baseline.inc"
// Keys, by these vectors.
#include "vptree/leaf_tree/leaf_tree_keys.inc"
// What boxes say.
#include "vptree/box_tree/box_keys.inc"
// The searches, by both.
#include "vptree/leaf_tree/leaf_tree_table.inc"

}  // namespace

const LeafTreeSearch<BoxBounds>& SearchFor(const LeafTree& tree,
                                           const BoxBounds&) {
#if defined(__x86_64__)
  switch (CpuSimdLevel()) {
    case SimdLevel::kAvx512:
      return BoxSearchAvx512(tree.norm, tree.num_dimensions);
    case SimdLevel::kAvx2:
      return BoxSearchAvx2(tree.norm, tree.num_dimensions);
    case SimdLevel::kBaseline:
      break;
  }
#endif
  return Table<BoxBounds>(tree.norm, tree.num_dimensions);
}

}  // namespace warpclust
