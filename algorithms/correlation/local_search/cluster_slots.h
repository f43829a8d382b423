// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterSlots: the size of each cluster, the smallest unused label and the
// largest used one, for a search that opens and empties clusters all the time.
// O(1) except SmallestUnused and Remove, which scan a few words or labels.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CLUSTER_SLOTS_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CLUSTER_SLOTS_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace warpclust {

class ClusterSlots {
 public:
  // Labels are in [0, num_labels); all are unused.
  explicit ClusterSlots(int32_t num_labels)
      : sizes_(num_labels, 0), used_(num_labels / 64 + 1, 0) {}

  // All labels unused again.
  void Clear() {
    std::fill(sizes_.begin(), sizes_.end(), 0);
    std::fill(used_.begin(), used_.end(), 0);
    full_words_ = num_slots_ = 0;
  }

  void Add(int32_t label) {
    if (sizes_[label]++ > 0) return;
    used_[label / 64] |= Bit(label);
    if (label >= num_slots_) num_slots_ = label + 1;
  }

  void Remove(int32_t label) {
    if (--sizes_[label] > 0) return;
    used_[label / 64] &= ~Bit(label);
    if (label / 64 < full_words_) full_words_ = label / 64;
    while (num_slots_ > 0 && sizes_[num_slots_ - 1] == 0) --num_slots_;
  }

  int32_t size(int32_t label) const { return sizes_[label]; }
  // One more than the largest used label; 0 without clusters.
  int32_t NumSlots() const { return num_slots_; }

  // There must be an unused label.
  int32_t SmallestUnused() {
    while (used_[full_words_] == ~uint64_t{0}) ++full_words_;
    return full_words_ * 64 + std::countr_one(used_[full_words_]);
  }

 private:
  static uint64_t Bit(int32_t label) { return uint64_t{1} << (label % 64); }

  std::vector<int32_t> sizes_;
  std::vector<uint64_t> used_;
  // The words before this one have no unused label.
  int32_t full_words_ = 0;
  int32_t num_slots_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_LOCAL_SEARCH_CLUSTER_SLOTS_H_
