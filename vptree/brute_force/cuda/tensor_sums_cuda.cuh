// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What tensor_tiles_cuda.cu concludes from sums of products of digits.
//
// In units of the step, x~ the first digits of x, half = floor(|x~|^2 / 2),
// odd = |x~|^2 mod 2, D = |x~ - y~|^2:
//
//   sum = x~ y~ - half_x - half_y = -(D - odd_x - odd_y) / 2
//
// exactly, in 32 bits: |x~ y~| is at most 4096 2^14 = 2^26, the halves 2^25,
// the half norm of an empty place is 2^29. What is added below is at most 2^27,
// so sums with an empty place stay below -2^28, and above -2^31 when doubled.
//
// Errors. |d(x, y) - sqrt(D) step| <= (e_x + e_y) step by the triangle
// inequality, e the distance of a point to its digits: `first_error` is the
// largest such e_x + e_y. Radii become bounds of D (digit_limits.h, and Tighten
// in tile_search_cuda.cuh), with the rounding of keys and of the bounds
// themselves in them. undecided_pairs_cuda.cuh decides what they leave.
//
// Count: sums start at offset - half_x - half_y, offset = floor(M / 2), M the
// largest D that may be below the radius: a sum below 0 is beyond it, and one
// for which w = 2 sum - odd_x - odd_y = 2 offset - D is large enough is within.
//
// Nearest: sum + L >= 0, L = floor(T / 2) the first limit of the point of lower
// rank, T the largest D that a key as small as its best one may have. Sums
// start at the largest L of the thread's rows and columns, so that most threads
// see at once that they have nothing.
//
// Second digit: x = step (x~ + l_x / 256) + rest. 256 sum + x~ l_y + l_x y~ +
// corrections is -D2 / 512 - (l_x l_y) / 256 up to 2 for floors, with D2 the
// squared distance in units of step / 256; |l_x l_y| <= |l_x| |l_y|. It is
// computed mod 2^32, which is enough: the host allows it only where everything
// that the first digit leaves undecided differs by less than 2^31. A block does
// so for a tile when one of its warps has many undecided pairs, of 64 x 32.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_SUMS_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_SUMS_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "vptree/brute_force/cuda/tile_search_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"

namespace warpclust {

// Eight warps, two rows of four; each has 64 rows and 32 columns. Sum
// [m][n][2 h + b] of lane 4 g + t: row 64 wm + 16 m + 8 h + g, column
// 32 wn + 8 n + 2 t + b.
using Sums = int[4][4][4];

struct alignas(16) PlaceInfo {
  int32_t norms[kTilePoints];
  int32_t limits[kTilePoints];  // nearest only, as ranks
  int32_t ranks[kTilePoints];
};

__device__ inline int RowOf(int m, int h) {
  return (threadIdx.x >> 7) * 64 + m * 16 + h * 8 + ((threadIdx.x & 31) >> 2);
}
__device__ inline int ColumnOf(int n, int b) {
  return ((threadIdx.x >> 5) & 3) * 32 + n * 8 + (threadIdx.x & 3) * 2 + b;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_SUMS_CUDA_CUH_
