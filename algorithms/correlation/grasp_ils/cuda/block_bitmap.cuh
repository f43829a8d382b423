// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BlockBitmap: a set of integers in [0, size), shared by a thread block. All
// threads insert and remove at the same time; one warp finds the next member;
// barriers separate the two.
//
// Two levels: bits in words, and a summary with a bit for each word that may
// not be empty (a search clears the bits of empty words that it meets). A
// search reads two rows of 32 words at best, and at most size / 32,768 more.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_BLOCK_BITMAP_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_BLOCK_BITMAP_CUH_

#include <cstdint>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

class BlockBitmap {
 public:
  static constexpr WARPCLUST_HOST_DEVICE int64_t Words(int64_t size) {
    return BitWords(size) + BitWords(BitWords(size));
  }

  __device__ BlockBitmap(uint32_t* words, int32_t size)
      : bits_(words),
        summary_(words + BitWords(size)),
        num_words_(static_cast<int32_t>(BitWords(size))),
        num_summary_(static_cast<int32_t>(BitWords(num_words_))),
        size_(size) {}

  // --- By all threads of the block, with a barrier before and after. --------

  __device__ void Fill(bool full) {
    FillLevel(bits_, size_, full);
    FillLevel(summary_, num_words_, full);
  }

  // --- By any thread, concurrently. -----------------------------------------

  __device__ bool Contains(int32_t i) const {
    return (Load(bits_ + i / 32) >> (i % 32)) & 1u;
  }
  __device__ void Insert(int32_t i) {
    if (Contains(i)) return;
    const int32_t word = i / 32;
    atomicOr(bits_ + word, 1u << (i % 32));
    if ((Load(summary_ + word / 32) >> (word % 32) & 1u) == 0) {
      atomicOr(summary_ + word / 32, 1u << (word % 32));
    }
  }
  __device__ void Remove(int32_t i) {
    if (Contains(i)) atomicAnd(bits_ + i / 32, ~(1u << (i % 32)));
  }

  // --- By one whole warp, while no other thread changes the set. ------------

  // The smallest member at or after `from`, or -1.
  __device__ int32_t FindFrom(int32_t from) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int32_t first_word = from / 32;
    const uint32_t first = Load(bits_ + first_word) & (~0u << (from % 32));
    __syncwarp();  // All lanes have read before one of them writes.
    if (first != 0) return first_word * 32 + __ffs(first) - 1;
    // Words after first_word, by the summary.
    int32_t word = first_word + 1;
    for (int32_t row = word / 32; row < num_summary_; row += 32) {
      const int32_t mine = row + lane;
      uint32_t flags = mine < num_summary_ ? Load(summary_ + mine) : 0u;
      if (mine == word / 32) flags &= ~0u << (word % 32);
      uint32_t rows = __ballot_sync(~0u, flags != 0);
      for (; rows != 0; rows &= rows - 1) {
        const int source = __ffs(rows) - 1;
        const uint32_t candidates = __shfl_sync(~0u, flags, source);
        const int32_t base = (row + source) * 32;
        const bool candidate = (candidates >> lane) & 1u;
        const uint32_t bits = candidate ? Load(bits_ + base + lane) : 0u;
        const uint32_t found = __ballot_sync(~0u, bits != 0);
        if (candidates & ~found) {
          if (lane == 0) summary_[row + source] &= ~(candidates & ~found);
          __syncwarp();
        }
        if (found != 0) {
          const int winner = __ffs(found) - 1;
          const uint32_t winner_bits = __shfl_sync(~0u, bits, winner);
          return (base + winner) * 32 + __ffs(winner_bits) - 1;
        }
      }
    }
    return -1;
  }

  // The same, circularly: 0 follows the largest number.
  __device__ int32_t FindCircular(int32_t from) {
    const int32_t found = FindFrom(from);
    return found >= 0 || from == 0 ? found : FindFrom(0);
  }

 private:
  static constexpr WARPCLUST_HOST_DEVICE int64_t BitWords(int64_t size) {
    return (size + 31) / 32;
  }
  static __device__ uint32_t Load(const uint32_t* word) {
    return *static_cast<const volatile uint32_t*>(word);
  }
  static __device__ void FillLevel(uint32_t* words, int32_t size, bool full) {
    for (int32_t i = static_cast<int32_t>(threadIdx.x); i < (size + 31) / 32;
         i += static_cast<int32_t>(blockDim.x)) {
      const int32_t remaining = size - i * 32;
      words[i] = !full ? 0u : remaining >= 32 ? ~0u : (1u << remaining) - 1u;
    }
  }

  uint32_t* bits_;
  uint32_t* summary_;
  int32_t num_words_;
  int32_t num_summary_;
  int32_t size_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_BLOCK_BITMAP_CUH_
