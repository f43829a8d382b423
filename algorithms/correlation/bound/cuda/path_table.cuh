// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory of a search for a path by one warp (path_search.cuh): the states
// that were reached, and the queues of those to continue from.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_PATH_TABLE_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_PATH_TABLE_CUH_

#include <cstdint>

#include "algorithms/correlation/bound/engine/path_search.h"
#include "kernels/launch.cuh"

namespace warpclust::internal {

inline constexpr int kWarp = 32;
// No key of a queue.
inline constexpr uint64_t kNone = UINT64_MAX;

// The memory of a search: a hash table with the states that the ends have
// reached, open addressing, and the queues of the ends. A word of the table is
// a key or a value. The key has the number of the search and 1 in its upper 31
// bits, so the entries of other searches count as empty.
struct SearchSizes {
  uint32_t slots;  // A power of two.
  uint32_t queue;

  __host__ __device__ int64_t words() const {
    return 2 * int64_t{slots} + 2 * int64_t{queue};
  }
};

inline SearchSizes SizesFor(int64_t max_visits) {
  // An end reaches a state, and queues it, only by a visit.
  SearchSizes sizes = {1024, static_cast<uint32_t>(max_visits) + 2};
  while (int64_t{sizes.slots} < 2 * (max_visits + 2)) sizes.slots *= 2;
  return sizes;
}

class Table {
 public:
  __device__ Table(uint64_t* words, uint32_t slots, uint32_t search)
      : words_(words), mask_(slots - 1), search_(uint64_t{search} << 33) {}

  // The word of the value of a state of a side; nullptr if it is not reached.
  __device__ uint64_t* Find(int side, uint32_t state) const {
    const uint64_t key = Key(side, state);
    for (uint32_t slot = Hash(key);; ++slot) {
      const uint64_t found = Load(slot);
      if (found == key) return words_ + 2 * uint64_t{slot & mask_} + 1;
      if (IsEmpty(found)) return nullptr;
    }
  }

  // The same; makes an entry if there is none. No other lane looks for this
  // state meanwhile.
  __device__ uint64_t* FindOrAdd(int side, uint32_t state, bool* is_new) {
    const uint64_t key = Key(side, state);
    *is_new = false;
    uint32_t slot = Hash(key);
    for (;;) {
      const uint64_t found = Load(slot);
      uint64_t* const place = words_ + 2 * uint64_t{slot & mask_};
      if (found == key) return place + 1;
      if (!IsEmpty(found)) {
        ++slot;
        continue;
      }
      // Fails if another lane was faster; its entry is looked at again.
      const unsigned long long before =
          atomicCAS(reinterpret_cast<unsigned long long*>(place), found, key);
      if (before == found) {
        *is_new = true;
        return place + 1;
      }
    }
  }

 private:
  __device__ uint64_t Key(int side, uint32_t state) const {
    return search_ | uint64_t{state} << 1 | static_cast<uint64_t>(side);
  }
  __device__ uint32_t Hash(uint64_t key) const {
    return static_cast<uint32_t>(key * 0x9E3779B97F4A7C15u >> 40);
  }
  __device__ uint64_t Load(uint32_t slot) const {
    return *static_cast<volatile uint64_t*>(words_ +
                                            2 * uint64_t{slot & mask_});
  }
  __device__ bool IsEmpty(uint64_t key) const {
    return key >> 33 != search_ >> 33;
  }

  uint64_t* const words_;
  const uint32_t mask_;
  const uint64_t search_;
};

// The value of a state: its cost and the last pair of the way to it.
inline __device__ uint64_t StateValue(float cost, uint32_t pair) {
  return PathKey(cost, pair);
}

// A queue of keys that only grows: a key that was taken leaves kNone behind.
// Lane l looks after the keys l, l + 32 and so on.
class Queue {
 public:
  __device__ Queue(uint64_t* keys, int lane) : keys_(keys), lane_(lane) {}

  // Adds the keys of the lanes that have one. All lanes call it.
  __device__ void Push(bool has_key, uint64_t key) {
    const unsigned mask = __ballot_sync(kFullWarp, has_key);
    if (has_key) keys_[size_ + __popc(mask & ((1u << lane_) - 1))] = key;
    __syncwarp();
    const uint32_t end = size_ + __popc(mask);
    const uint32_t mine = size_ + ((lane_ - size_) & (kWarp - 1));
    if (mine < end && keys_[mine] < least_) {
      least_ = keys_[mine];
      least_at_ = mine;
    }
    size_ = end;
  }

  // kNone if the queue is empty. All lanes call it, and get the same.
  __device__ uint64_t Least() const {
    uint64_t least = least_;
    for (int offset = kWarp / 2; offset > 0; offset /= 2) {
      least = min(least, __shfl_xor_sync(kFullWarp, least, offset));
    }
    return least;
  }

  // Takes the least key, which is not kNone. Keys are different.
  __device__ void Pop(uint64_t least) {
    if (least_ != least) return;
    keys_[least_at_] = kNone;
    least_ = kNone;
    for (uint32_t i = lane_; i < size_; i += kWarp) {
      const uint64_t key = keys_[i];
      if (key < least_) {
        least_ = key;
        least_at_ = i;
      }
    }
  }

 private:
  uint64_t* const keys_;
  const uint32_t lane_;
  uint32_t size_ = 0;
  uint64_t least_ = kNone;
  uint32_t least_at_ = 0;
};

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_CUDA_PATH_TABLE_CUH_
