// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of threads of a block that work on one document together, and a
// barrier of all blocks.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_GROUP_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_GROUP_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/online/batched/cuda/batch_view.h"
#include "algorithms/online/state/online_options.h"

namespace warpclust {

inline constexpr int kGroupThreads = 128;
static_assert(kGroupThreads >= OnlineOptions::kMaxTerms);

// The threads of a block, and the tables of searches in its shared memory:
// 2^bits clusters for a group, and for the whole block.
template <int kBlockThreads, int kBitsOfGroup, int kBitsOfBlock, int kKilobytes>
struct BatchShape {
  static constexpr int kThreads = kBlockThreads;
  static constexpr int kWarps = kThreads / 32;
  static constexpr int kGroups = kThreads / kGroupThreads;
  static constexpr int kGroupBits = kBitsOfGroup;
  static constexpr int kBlockBits = kBitsOfBlock;
  // The shared memory that a block may have.
  static constexpr int kMostBytes = kKilobytes << 10;
};
// For the GPUs of data centers since compute capability 9.0.
using LargeBatchShape = BatchShape<1024, 11, 14, 224>;
// For all.
using SmallBatchShape = BatchShape<512, 10, 12, 99>;

// A barrier of the kGroupThreads threads of a group; `barrier` is its number,
// not 0.
__device__ inline void GroupBarrier(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(kGroupThreads)
               : "memory");
}

// Reads a value that other blocks change.
template <typename T>
__device__ T Fresh(const T* value) {
  return *const_cast<const volatile T*>(value);
}

// A barrier of all blocks: each sees what the others wrote before it. The first
// block adds so much that the highest bit flips when all have come.
__device__ inline void GridBarrier(BatchControl* control) {
  constexpr uint32_t kHighest = 0x80000000u;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const uint32_t before = atomicAdd(
        &control->arrived, blockIdx.x == 0 ? kHighest - (gridDim.x - 1) : 1);
    while (((Fresh(&control->arrived) ^ before) & kHighest) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCHED_CUDA_BATCH_GROUP_CUH_
