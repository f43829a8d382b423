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
// largest such e_x + e_y. The host turns radii into bounds of D (CountLimits in
// brute_force_cuda.cu, Tighten in tile_search_cuda.cuh), with the rounding of
// keys and of the bounds themselves in them. What they leave undecided is
// decided by the exact key.
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

#include "kernels/tensor/tensor_core.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"

namespace warpclust {

// Open pairs of a warp from which on it wants the second digit.
inline constexpr int kManyUndecided = 16;
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

// Sets of a thread's pairs: bit 16 m + 8 h + 2 n + b, so that a row is a byte.
// The bit of sum i of 64 is the sign of value(m, n, 2 h + b).
template <typename Value>
__device__ __forceinline__ uint64_t SignsOf(const Value& value) {
  uint32_t words[2] = {};
#pragma unroll
  for (int i = 63; i >= 0; --i) {
    const int sum = value(i >> 4, (i >> 1) & 3, ((i >> 2) & 2) + (i & 1));
    words[i >> 5] =
        __funnelshift_l(static_cast<uint32_t>(sum), words[i >> 5], 1);
  }
  return (static_cast<uint64_t>(words[1]) << 32) | words[0];
}

// A warp's counts in a row tile (kept over all columns) and a column tile:
// 16-bit halves, rows (m, 0) and (m, 1), columns (n, 0) and (n, 1).
struct Counts {
  uint32_t rows[4] = {};
  uint32_t columns[4];

  __device__ __forceinline__ void Add(uint64_t within) {
#pragma unroll
    for (int m = 0; m < 4; ++m) {
      const uint32_t two = static_cast<uint32_t>(within >> (16 * m)) & 0xffff;
      rows[m] += __popc(two & 0xff) + (__popc(two >> 8) << 16);
    }
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      constexpr uint64_t kColumn = 0x0101010101010101;
      columns[n] = __popcll(within & (kColumn << (2 * n))) +
                   (__popcll(within & (kColumn << (2 * n + 1))) << 16);
    }
  }
};

// The row and the column of a pair of the thread, by its bit.
__device__ inline int RowOfBit(int bit) {
  return RowOf(bit >> 4, (bit >> 3) & 1);
}
__device__ inline int ColumnOfBit(int bit) {
  return ColumnOf((bit >> 1) & 3, bit & 1);
}

// The first digit: returns the undecided pairs. `within`: those within the
// radius.
__device__ __forceinline__ uint64_t FirstCountSums(const TileArguments& a,
                                                   const PlaceInfo& rows,
                                                   const PlaceInfo& columns,
                                                   const Sums& sums,
                                                   uint64_t& within) {
  // Within for any odd_x and odd_y.
  const int surely = (a.count.first_within + 3) >> 1;
  within =
      SignsOf([&](int m, int n, int e) { return surely - 1 - sums[m][n][e]; });
  uint64_t undecided =
      ~within & ~SignsOf([&](int m, int n, int e) { return sums[m][n][e]; });
  if (a.low != nullptr) return undecided;
  // Exact: `surely` is 1, what is undecided has sum 0, and w decides.
  while (undecided != 0) {
    const int bit = __ffsll(static_cast<long long>(undecided)) - 1;
    undecided &= undecided - 1;
    const int odd =
        (rows.norms[RowOfBit(bit)] & 1) + (columns.norms[ColumnOfBit(bit)] & 1);
    if (-odd >= a.count.first_within) within |= uint64_t{1} << bit;
  }
  return 0;
}

// The second digit, after AddSecondDigit: returns the pairs left of the
// undecided ones. `within`: as above, of those.
__device__ __forceinline__ uint64_t
SecondCountSums(const TileArguments& a, int32_t row_tile, int32_t column_tile,
                uint64_t undecided, const Sums& sums, uint64_t& within) {
  const int64_t first_row = static_cast<int64_t>(row_tile) * kTilePoints;
  const int64_t first_column = static_cast<int64_t>(column_tile) * kTilePoints;
  uint64_t left = 0;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
#pragma unroll
    for (int b = 0; b < 2; ++b) {
      const int correction = a.corrections[first_column + ColumnOf(n, b)];
#pragma unroll
      for (int m = 0; m < 4; ++m) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const uint64_t bit = uint64_t{1} << (16 * m + 8 * h + 2 * n + b);
          const int sum = static_cast<int>(
              static_cast<uint32_t>(sums[m][n][2 * h + b]) +
              static_cast<uint32_t>(correction) +
              static_cast<uint32_t>(a.corrections[first_row + RowOf(m, h)]));
          if (sum >= a.count.second_within) {
            within |= undecided & bit;
          } else if (sum >= a.count.second_near) {
            left |= undecided & bit;
          }
        }
      }
    }
  }
  return left;
}

// Those of `pairs` that would lower a best if they are within the radius.
__device__ __forceinline__ uint64_t PairsThatMatter(const TileArguments& a,
                                                    int32_t row_tile,
                                                    int32_t column_tile,
                                                    uint64_t pairs) {
  uint64_t matter = 0;
  while (pairs != 0) {
    const int bit = __ffsll(static_cast<long long>(pairs)) - 1;
    pairs &= pairs - 1;
    if (PairMatters(a.labels, row_tile * kTilePoints + RowOfBit(bit),
                    column_tile * kTilePoints + ColumnOfBit(bit))) {
      matter |= uint64_t{1} << bit;
    }
  }
  return matter;
}

__device__ __forceinline__ void LowerBestsOf(const TileArguments& a,
                                             int32_t row_tile,
                                             int32_t column_tile,
                                             uint64_t pairs) {
  while (pairs != 0) {
    const int bit = __ffsll(static_cast<long long>(pairs)) - 1;
    pairs &= pairs - 1;
    LowerBests(a.labels, row_tile * kTilePoints + RowOfBit(bit),
               column_tile * kTilePoints + ColumnOfBit(bit));
  }
}

// Nearest, as above: the pairs that the first digit leaves undecided. `bound`:
// what the sums started with besides the half norms.
__device__ __forceinline__ uint64_t FirstNearestSums(const PlaceInfo& rows,
                                                     const PlaceInfo& columns,
                                                     int bound,
                                                     const Sums& sums) {
  int column_limits[8];
  int column_ranks[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    column_limits[i] = columns.limits[ColumnOf(i >> 1, i & 1)] - bound;
    column_ranks[i] = columns.ranks[ColumnOf(i >> 1, i & 1)];
  }
  return ~SignsOf([&](int m, int n, int e) {
    const int row = RowOf(m, e >> 1);
    const int column = 2 * n + (e & 1);
    return sums[m][n][e] + (column_ranks[column] < rows.ranks[row]
                                ? rows.limits[row] - bound
                                : column_limits[column]);
  });
}

// Those that the second digit leaves.
__device__ __forceinline__ uint64_t SecondNearestSums(
    const TileArguments& a, const PlaceInfo& rows, const PlaceInfo& columns,
    int32_t row_tile, int32_t column_tile, uint64_t undecided, int bound,
    const Sums& sums) {
  const int64_t first_row = static_cast<int64_t>(row_tile) * kTilePoints;
  const int64_t first_column = static_cast<int64_t>(column_tile) * kTilePoints;
  uint64_t left = 0;
#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int64_t row = first_row + RowOf(m, h);
      const uint32_t correction = static_cast<uint32_t>(a.corrections[row]) -
                                  (static_cast<uint32_t>(bound) << 8);
      const int row_limit = __ldcg(a.nearest.second_limits + row);
      const int row_rank = rows.ranks[RowOf(m, h)];
#pragma unroll
      for (int n = 0; n < 4; ++n) {
#pragma unroll
        for (int b = 0; b < 2; ++b) {
          const uint64_t bit = uint64_t{1} << (16 * m + 8 * h + 2 * n + b);
          const int64_t column = first_column + ColumnOf(n, b);
          const int limit = columns.ranks[ColumnOf(n, b)] < row_rank
                                ? row_limit
                                : __ldcg(a.nearest.second_limits + column);
          const int sum = static_cast<int>(
              static_cast<uint32_t>(sums[m][n][2 * h + b]) + correction +
              static_cast<uint32_t>(a.corrections[column]) +
              static_cast<uint32_t>(limit));
          if (limit == kUnlimited || sum >= 0) left |= undecided & bit;
        }
      }
    }
  }
  return left;
}

// Whether a warp, which calls it, takes the second digit of these pairs.
template <TileSearch kSearch>
__device__ __forceinline__ bool WantsSecondDigit(const TileArguments& a,
                                                 uint64_t undecided) {
  const bool is_there =
      kSearch == TileSearch::kNearest ? a.low != nullptr : a.count.second_digit;
  return is_there &&
         __reduce_add_sync(kFullWarp, __popcll(undecided)) >= kManyUndecided;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_SUMS_CUDA_CUH_
