// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_rankings.h"

#include <algorithm>
#include <cstring>

namespace warpclust {
namespace leaf_tree_internal {
namespace {

// From an element per radius and slot to one per slot and radius.
void Transpose(int32_t* counts) {
  int32_t by_radius[kMostRadii][kLeafSize];
  std::memcpy(by_radius, counts, sizeof(by_radius));
  for (int slot = 0; slot < kLeafSize; ++slot) {
    for (int r = 0; r < kMostRadii; ++r) {
      counts[slot * kMostRadii + r] = by_radius[r][slot];
    }
  }
}

}  // namespace

uint32_t ChangedNeighbors(const FirstNeighbors* firsts, int count, int last,
                          int ranking) {
  uint32_t changed = 0;
  for (int s = 0; s < count; ++s) {
    const int first = FirstNeighbor(firsts[s], ranking);
    const bool is_same = first < kKeptNeighbors && last >= 0 &&
                         first == FirstNeighbor(firsts[s], last);
    changed |= uint32_t{is_same ? 0u : 1u} << s;
  }
  return changed;
}

void FindFirstNeighbors(const LeafTree& tree, const LeafNeighbors& neighbors,
                        int num_threads, LeafCounts* counts,
                        AlignedVector<FirstNeighbors>* firsts) {
  const auto num_slots = static_cast<int64_t>(tree.leaf_ids.size());
  const int32_t num_leaves = tree.num_leaves();
  ResizeVector(num_slots, num_threads, firsts);
  const int32_t* by_slot = counts->OfRadius(0, 0);
#pragma omp parallel num_threads(num_threads)
  {
#pragma omp for schedule(static)
    for (int32_t leaf = 0; leaf < num_leaves; ++leaf) {
      Transpose(counts->OfRadius(leaf, 0));
    }
#pragma omp for schedule(static)
    for (int64_t slot = 0; slot < num_slots; ++slot) {
      const int32_t id = tree.leaf_ids[slot];
      if (id < 0) continue;
      const int32_t* near = neighbors.slots.data() + slot * kKeptNeighbors;
      const int32_t* own = by_slot + slot * kMostRadii;
      int32_t best[kMostRadii];
      std::fill_n(best, kMostRadii, kKeptNeighbors);
      for (int l = kKeptNeighbors - 1; l >= 0; --l) {
        const int32_t* other = by_slot + int64_t{near[l]} * kMostRadii;
        // Of equal counts the smaller id comes first.
        const int32_t wins_ties = tree.leaf_ids[near[l]] < id ? 1 : 0;
#pragma omp simd
        for (int r = 0; r < kMostRadii; ++r) {
          best[r] = other[r] + wins_ties > own[r] ? l : best[r];
        }
      }
      FirstNeighbors packed = 0;
      for (int r = 0; r < kMostRadii; ++r) {
        packed |= static_cast<FirstNeighbors>(best[r]) << 4 * r;
      }
      (*firsts)[slot] = packed;
    }
  }
}

}  // namespace leaf_tree_internal
}  // namespace warpclust
