// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LeafCounts: how many points lie within each of some radii of every point of a
// LeafTree, by slot. Threads add to it in any order.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_COUNTS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_COUNTS_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

#include "base/machine/aligned_buffer.h"
#include "vptree/leaf_tree/leaf_tree.h"

namespace warpclust {

class LeafCounts {
 public:
  // Counts are undefined until they are cleared.
  LeafCounts(int32_t num_leaves, int num_radii)
      : num_radii_(num_radii), is_taken_(new std::atomic<bool>[num_leaves]()) {
    counts_.Reserve(int64_t{num_leaves} * num_radii * kLeafSize);
  }

  void Clear(int32_t leaf) {
    std::fill_n(OfRadius(leaf, 0), num_radii_ * kLeafSize, 0);
  }

  // Adds counts[r][slot] for the radii r from `begin` to `end`.
  void Add(int32_t leaf, int begin, int end,
           const int32_t (*counts)[kLeafSize]) {
    std::atomic<bool>& is_taken = is_taken_[leaf];
    while (is_taken.exchange(true, std::memory_order_acquire)) {
      std::this_thread::yield();
    }
    for (int r = begin; r < end; ++r) {
      int32_t* sums = OfRadius(leaf, r);
      for (int slot = 0; slot < kLeafSize; ++slot) {
        sums[slot] += counts[r][slot];
      }
    }
    is_taken.store(false, std::memory_order_release);
  }

  // By slot.
  int32_t* OfRadius(int32_t leaf, int radius) {
    return counts_.data() + (int64_t{leaf} * num_radii_ + radius) * kLeafSize;
  }

 private:
  const int num_radii_;
  AlignedBuffer<int32_t> counts_;
  // By leaf: whether a thread is adding.
  const std::unique_ptr<std::atomic<bool>[]> is_taken_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_LEAF_TREE_COUNTS_H_
