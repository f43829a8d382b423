// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Stages of tensor_tiles_cuda.cu: 64 bytes of each row of a tile in shared
// memory, how they are loaded and how a warp multiplies them.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_STAGE_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_STAGE_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/tensor/tensor_core.cuh"
#include "vptree/brute_force/cuda/point_tiles_cuda.h"
#include "vptree/brute_force/cuda/tensor_sums_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"

namespace warpclust {

// Of each row, in one stage.
inline constexpr int kChunkBytes = kStageRowBytes;
inline constexpr int kStageBytes = kTilePoints * kChunkBytes;

// What a thread copies of each stage: 16 bytes of a row, and of the one 64
// below.
struct Loader {
  int64_t from;   // in the tile's first chunk
  int64_t below;  // bytes between the two rows
  uint32_t to;

  __device__ explicit Loader(const TileArguments& a)
      : from(static_cast<int64_t>(threadIdx.x >> 2) * a.row_bytes +
             16 * (threadIdx.x & 3)),
        below(static_cast<int64_t>(64) * a.row_bytes),
        to(StageOffset(threadIdx.x >> 2, threadIdx.x & 3)) {}

  // `digits`: of all places.
  __device__ const int8_t* Start(const TileArguments& a, const int8_t* digits,
                                 int32_t tile) const {
    return digits + static_cast<int64_t>(tile) * kTilePoints * a.row_bytes +
           from;
  }
  __device__ void Load(const int8_t* chunk, uint32_t stage) const {
    CopyAsync(stage + to, chunk);
    CopyAsync(stage + to + 64 * kChunkBytes, chunk + below);
  }
};

// Of the rows and columns of the warp's sums.
__device__ inline StageOperands OperandsOfSums() {
  const int lane = threadIdx.x & 31;
  return StageOperands(RowOf(0, 0) - (lane >> 2),
                       ColumnOf(0, 0) - 2 * (lane & 3));
}

// A stage of rows and columns each, whose second halves may be empty.
__device__ __forceinline__ void MultiplyChunk(const TileArguments& a,
                                              const StageOperands& operands,
                                              int chunk, uint32_t rows,
                                              uint32_t columns, Sums& sums) {
  MultiplyHalf(operands, rows, columns, /*upper=*/false, sums);
  if (chunk * kChunkBytes + 32 < a.dimensions) {
    MultiplyHalf(operands, rows, columns, /*upper=*/true, sums);
  }
}

// sums = 256 sums + x~ l_y + l_x y~, by the whole block, through 2 * kSlots
// stages from `stages` on. What is being copied there is lost. Not inlined: its
// registers would be missing where the first digit is multiplied.
template <int kSlots>
__device__ __noinline__ inline void AddSecondDigit(const TileArguments& a,
                                                   int32_t row_tile,
                                                   int32_t column_tile,
                                                   uint32_t stages,
                                                   Sums& in_memory) {
  const Loader loader(a);
  const StageOperands operands = OperandsOfSums();
  Sums sums;
#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int n = 0; n < 4; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        sums[m][n][e] =
            static_cast<int>(static_cast<uint32_t>(in_memory[m][n][e]) << 8);
      }
    }
  }
  const int chunks = a.row_bytes / kChunkBytes;
  // First the low digits of columns, then those of rows.
  const auto load = [&](int step) {
    if (step >= 2 * chunks) return CommitCopies();
    const bool of_rows = step >= chunks;
    const int64_t from = (of_rows ? step - chunks : step) * kChunkBytes;
    const uint32_t to = stages + step % kSlots * 2 * kStageBytes;
    loader.Load(loader.Start(a, of_rows ? a.low : a.high, row_tile) + from, to);
    loader.Load(loader.Start(a, of_rows ? a.high : a.low, column_tile) + from,
                to + kStageBytes);
    CommitCopies();
  };
  WaitForCopies<0>();
  __syncthreads();
  for (int step = 0; step < kSlots - 1; ++step) load(step);
  for (int step = 0; step < 2 * chunks; ++step) {
    WaitForCopies<kSlots - 2>();
    __syncthreads();
    load(step + kSlots - 1);
    const uint32_t rows = stages + step % kSlots * 2 * kStageBytes;
    MultiplyChunk(a, operands, step >= chunks ? step - chunks : step, rows,
                  rows + kStageBytes, sums);
  }
#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int n = 0; n < 4; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) in_memory[m][n][e] = sums[m][n][e];
    }
  }
  __syncthreads();
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_STAGE_CUDA_CUH_
