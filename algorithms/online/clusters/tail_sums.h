// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TailSums: the sums of a cluster that are not among its K largest, by term.
//
// Every document that joins a cluster looks up most of its terms here. So this
// is one array with linear probing from which nothing is removed: a term that
// enters the K largest keeps its place with a sum of 0.
//
// Cost: O(1) per term, amortized. Memory: 16 bytes, and 22 to 43 per term.
// Concurrent reads are safe.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_TAIL_SUMS_H_
#define WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_TAIL_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace warpclust {

class TailSums {
 public:
  // Whether no term was ever looked up.
  bool empty() const { return capacity_ == 0; }
  // The memory of the array.
  int64_t bytes() const { return int64_t{capacity_} * sizeof(Slot); }

  // The sum of a term, 0 if it is new. Valid until MakeRoomFor.
  int64_t& operator[](int32_t term) {
    uint32_t slot = Home(term);
    while (slots_[slot].term != term) {
      if (slots_[slot].term == kEmpty) {
        slots_[slot].term = term;
        ++used_;
        break;
      }
      slot = (slot + 1) & (capacity_ - 1);
    }
    return slots_[slot].sum;
  }

  // Makes room for looking up `more` different terms.
  void MakeRoomFor(size_t more) {
    if ((used_ + more) * 4 > size_t{capacity_} * 3) Grow(more);
  }

  // Calls visit(term, sum) for all sums except 0, in no particular order.
  template <typename Visit>
  void ForEach(const Visit& visit) const {
    for (uint32_t slot = 0; slot < capacity_; ++slot) {
      if (slots_[slot].sum != 0) visit(slots_[slot].term, slots_[slot].sum);
    }
  }

  // Where the search for a term begins, for a prefetch. Requires !empty().
  const void* AddressOf(int32_t term) const { return &slots_[Home(term)]; }

 private:
  static constexpr int32_t kEmpty = -1;
  struct Slot {
    int64_t sum = 0;
    int32_t term = kEmpty;
  };

  // Fibonacci hashing into [0, capacity_), a power of two.
  uint32_t Home(int32_t term) const {
    return static_cast<uint32_t>(
        (uint64_t{static_cast<uint32_t>(term) * 0x9E3779B1u} * capacity_) >>
        32);
  }

  void Grow(size_t more) {
    const std::unique_ptr<Slot[]> before = std::move(slots_);
    const uint32_t capacity_before = capacity_;
    if (capacity_ == 0) capacity_ = 16;
    while ((used_ + more) * 4 > size_t{capacity_} * 3) capacity_ *= 2;
    slots_ = std::make_unique<Slot[]>(capacity_);
    used_ = 0;
    for (uint32_t slot = 0; slot < capacity_before; ++slot) {
      if (before[slot].sum != 0) (*this)[before[slot].term] = before[slot].sum;
    }
  }

  std::unique_ptr<Slot[]> slots_;
  uint32_t capacity_ = 0;
  uint32_t used_ = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_CLUSTERS_TAIL_SUMS_H_
