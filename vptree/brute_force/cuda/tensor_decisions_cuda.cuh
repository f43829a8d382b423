// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What a thread concludes for its pairs of two tiles from the sums of
// tensor_sums_cuda.cuh: which are within the radius, and which stay undecided.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_DECISIONS_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_DECISIONS_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "vptree/brute_force/cuda/lower_bests_cuda.cuh"
#include "vptree/brute_force/cuda/tensor_sums_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"

namespace warpclust {

// Open pairs of a warp from which on it wants the second digit.
inline constexpr int kManyUndecided = 16;

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

// The row and the column of a pair of the thread, by its bit.
__device__ inline int RowOfBit(int bit) {
  return RowOf(bit >> 4, (bit >> 3) & 1);
}
__device__ inline int ColumnOfBit(int bit) {
  return ColumnOf((bit >> 1) & 3, bit & 1);
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

// The pairs of the thread that the first digit leaves undecided. `within`:
// those that it finds within the radius.
template <TileSearch kSearch>
__device__ __forceinline__ uint64_t
FirstSums(const TileArguments& a, const PlaceInfo& rows,
          const PlaceInfo& columns, int32_t row_tile, int32_t column_tile,
          int bound, const Sums& sums, uint64_t& within) {
  if constexpr (kSearch == TileSearch::kNearest) {
    return FirstNearestSums(rows, columns, bound, sums);
  }
  const uint64_t undecided = FirstCountSums(a, rows, columns, sums, within);
  if constexpr (kSearch == TileSearch::kCount) return undecided;
  const uint64_t matter =
      PairsThatMatter(a, row_tile, column_tile, within | undecided);
  within &= matter;
  return undecided & matter;
}

// The same for the second digit and the pairs that are undecided.
template <TileSearch kSearch>
__device__ __forceinline__ uint64_t
SecondSums(const TileArguments& a, const PlaceInfo& rows,
           const PlaceInfo& columns, int32_t row_tile, int32_t column_tile,
           uint64_t undecided, int bound, const Sums& sums, uint64_t& within) {
  if constexpr (kSearch == TileSearch::kNearest) {
    return SecondNearestSums(a, rows, columns, row_tile, column_tile, undecided,
                             bound, sums);
  }
  return SecondCountSums(a, row_tile, column_tile, undecided, sums, within);
}

// Counts the pairs within the radius, or lowers bests by them. Called by whole
// warps.
template <TileSearch kSearch>
__device__ __forceinline__ void TakeWithin(const TileArguments& a,
                                           int32_t row_tile, int32_t tile,
                                           uint64_t within, Counts& counts) {
  if constexpr (kSearch == TileSearch::kLabel) {
    LowerBestsOf(a, row_tile, tile, within);
  }
  if constexpr (kSearch != TileSearch::kCount) return;
  counts.Add(within);
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    uint32_t sum = counts.columns[n];
    for (int step = 4; step < 32; step *= 2) {
      sum += __shfl_xor_sync(kFullWarp, sum, step);
    }
    // Lane 4 g + t adds the column (n, b) for g = 2 n + b.
    const int b = (threadIdx.x >> 2) & 1;
    const int count = static_cast<int>((sum >> (16 * b)) & 0xffff);
    if (tile != row_tile && ((threadIdx.x & 31) >> 3) == n && count != 0) {
      atomicAdd(
          a.counts + static_cast<int64_t>(tile) * kTilePoints + ColumnOf(n, b),
          count);
    }
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TENSOR_DECISIONS_CUDA_CUH_
