// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of this folder share: blocks of kThreads threads, one thread
// per element or one warp per row.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_WARP_ROWS_CUH_
#define WARPCLUST_GRAPH_COSINE_CUDA_WARP_ROWS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

namespace warpclust {

inline constexpr int kThreads = 256;
inline constexpr unsigned kFullWarp = 0xffffffffu;

// Blocks for so many threads.
inline int Blocks(int64_t threads) {
  return static_cast<int>((threads + kThreads - 1) / kThreads);
}

// Blocks for a warp per row.
inline int WarpBlocks(int64_t rows) { return Blocks(rows * 32); }

// The row of this thread's warp.
__device__ inline int32_t RowOfWarp() {
  return static_cast<int32_t>((int64_t{blockIdx.x} * kThreads + threadIdx.x) /
                              32);
}

// The first place of [low, high) whose value is at least `value`, or `high`.
template <typename Place, typename Value>
__device__ Place LowerBound(const Value* values, Place low, Place high,
                            Value value) {
  while (low < high) {
    const Place middle = low + (high - low) / 2;
    if (values[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_WARP_ROWS_CUH_
