// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of this folder share: blocks of kThreads threads, one thread
// per element or one warp per row.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_WARP_ROWS_CUH_
#define WARPCLUST_GRAPH_COSINE_CUDA_WARP_ROWS_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/launch.cuh"

namespace warpclust {

inline constexpr int kThreads = 256;

// Blocks for a warp per row.
inline unsigned WarpBlocks(int64_t rows) {
  return BlocksFor(rows * 32, kThreads);
}

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
