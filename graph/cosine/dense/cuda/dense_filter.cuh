// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The filter of the dense join (device_dense_documents_cuda.h), as its kernels
// apply it: first by the least product of a tile, then pair by pair.

#ifndef WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_FILTER_CUH_
#define WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_FILTER_CUH_

#include <cstdint>

#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "kernels/launch.cuh"

namespace warpclust {

// What the kernels of the join have in common.
struct DenseJoinArguments {
  int32_t first_row;   // Of candidates.
  int32_t end_column;  // Up to the end of a tile.
  int32_t digit_bytes;
  const int8_t* digits;
  const DenseScale* scales;
  const DenseScale* tile_scales;
  float limit;  // 1 + β - kDenseFilterSlack
  int32_t first_run;
  int32_t first_tile;
  bool resident;
  int64_t capacity;
  uint64_t* candidates;
  unsigned long long* count;
};

// A product that is not above those of any candidate of these rows and columns:
// t_a t_b A · B >= limit - u_a u_b for a candidate.
__device__ inline int LeastProduct(float limit, const DenseScale& row,
                                   const DenseScale& column) {
  const float least = limit - row.u * column.u;
  if (!(least > 0)) return -kDenseMostProduct;
  const float products = row.t * column.t;
  // The quotient is within a few units of its last place.
  const float bound = products > 0 ? least / products * (1 - 1e-6f) - 1 : 3e9f;
  return bound < static_cast<float>(kDenseMostProduct)
             ? static_cast<int>(floorf(fmaxf(bound, 0.0f)))
             : kDenseMostProduct;
}

// Whether a pair with this product of digits may reach β.
__device__ inline bool MayReach(float limit, const DenseScale& row,
                                const DenseScale& column, int product) {
  return static_cast<float>(product) * row.t * column.t + row.u * column.u >=
         limit;
}

// A place among the candidates for each of `count` of this lane, and so for all
// lanes of the warp.
__device__ inline int64_t ReserveCandidates(unsigned long long* total,
                                            int count) {
  const int lane = threadIdx.x & 31;
  int before = count;  // And this lane's.
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(kFullWarp, before, step);
    if (lane >= step) before += other;
  }
  unsigned long long at = 0;
  if (lane == 31 && before > 0) {
    at = atomicAdd(total, static_cast<unsigned long long>(before));
  }
  return static_cast<int64_t>(__shfl_sync(kFullWarp, at, 31)) + before - count;
}

__device__ inline void WriteCandidate(const DenseJoinArguments& a, int64_t at,
                                      int32_t row, int32_t column) {
  if (at < a.capacity) {
    a.candidates[at] =
        static_cast<uint64_t>(row) << 32 | static_cast<uint32_t>(column);
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DENSE_CUDA_DENSE_FILTER_CUH_
