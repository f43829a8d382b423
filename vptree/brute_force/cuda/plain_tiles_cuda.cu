// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of tiles with every key computed, for norms and points without a
// filter.
//
// A block takes 64 x 64 pairs at a time, a thread 4 x 4 of them, with 16
// dimensions of 64 rows and 64 columns in shared memory. A pair takes two
// double operations per dimension.

#include <cuda_runtime.h>

#include "kernels/device/cuda_status.h"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/distance_key.h"

namespace warpclust {
namespace {

constexpr int kSide = 64;  // rows and columns at a time
constexpr int kEach = 4;   // of a thread
constexpr int kThreadSide = kSide / kEach;
constexpr int kDepth = 16;  // dimensions at a time

struct Shared {
  ColumnTiles list;
  double rows[kDepth][kSide + 1];
  double columns[kDepth][kSide + 1];
  int32_t row_counts[kTilePoints];
  int32_t column_counts[kTilePoints];
  int32_t row_ids[kSide];
  int32_t column_ids[kSide];
};

// Loads dimensions from `first` on of 64 points; 0 where none exist.
__device__ void LoadSide(const TileArguments& a, const int32_t* ids, int first,
                         double (*to)[kSide + 1]) {
  const int k = threadIdx.x % kDepth;
  for (int i = threadIdx.x / kDepth; i < kSide; i += kTileThreads / kDepth) {
    const int32_t id = ids[i];
    to[k][i] =
        id >= 0 && first + k < a.dimensions
            ? a.values[static_cast<int64_t>(id) * a.dimensions + first + k]
            : 0.0;
  }
}

// Keys of 64 x 64 pairs: rows threadIdx.x / 16 + 16 i, columns
// threadIdx.x mod 16 + 16 j.
template <Norm kNorm>
__device__ void ComputeKeys(const TileArguments& a, Shared& shared,
                            double (&keys)[kEach][kEach]) {
  const int row = threadIdx.x / kThreadSide;
  const int column = threadIdx.x % kThreadSide;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) keys[i][j] = 0;
  }
  for (int first = 0; first < a.dimensions; first += kDepth) {
    __syncthreads();
    LoadSide(a, shared.row_ids, first, shared.rows);
    LoadSide(a, shared.column_ids, first, shared.columns);
    __syncthreads();
    const int depth = min(kDepth, a.dimensions - first);
#pragma unroll 4
    for (int k = 0; k < depth; ++k) {
      double x[kEach];
      double y[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        x[i] = shared.rows[k][row + kThreadSide * i];
        y[i] = shared.columns[k][column + kThreadSide * i];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
          keys[i][j] = AddToKey<kNorm>(keys[i][j], x[i] - y[j]);
        }
      }
    }
  }
}

// Offers each pair to its point of lower rank. `row` and `column` are the
// places of the thread's first ones. The diagonal tile has each pair twice,
// which is harmless.
__device__ void OfferKeys(const TileArguments& a, int32_t row, int32_t column,
                          const double (&keys)[kEach][kEach]) {
  const volatile double* best = a.nearest.keys;
  double column_best[kEach];
  int32_t column_ranks[kEach];
  int32_t column_ids[kEach];
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const int32_t place = column + kThreadSide * j;
    column_best[j] = best[place];
    column_ranks[j] = a.nearest.ranks[place];
    column_ids[j] = a.ids[place];
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int32_t place = row + kThreadSide * i;
    const int32_t id = a.ids[place];
    const int32_t rank = a.nearest.ranks[place];
    const double row_best = best[place];
    if (id < 0) continue;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      if (column_ids[j] < 0 || column_ids[j] == id) continue;
      const bool lower = column_ranks[j] < rank;
      if (keys[i][j] > (lower ? row_best : column_best[j])) continue;
      Offer(a.nearest, lower ? place : column + kThreadSide * j, keys[i][j],
            lower ? column_ids[j] : id);
    }
  }
}

template <Norm kNorm, bool kNearest>
__global__ void __launch_bounds__(kTileThreads)
    PlainTileKernel(const __grid_constant__ TileArguments a) {
  __shared__ Shared shared;
  const TileItem item = ItemOf(a);
  SelectColumns<kNorm, kNearest>(a, item, shared.list);
  if (threadIdx.x < kTilePoints) {
    shared.row_counts[threadIdx.x] = 0;
    shared.column_counts[threadIdx.x] = 0;
  }
  for (int ordinal = 0; ordinal < shared.list.count; ++ordinal) {
    const int32_t tile = shared.list.tiles[ordinal];
    const bool same = tile == item.row_tile;
    for (int part = 0; part < 4; ++part) {
      const int first_row = (part >> 1) * kSide;
      const int first_column = (part & 1) * kSide;
      const int32_t row_place = item.row_tile * kTilePoints + first_row;
      const int32_t column_place = tile * kTilePoints + first_column;
      __syncthreads();
      if (threadIdx.x < kSide) {
        shared.row_ids[threadIdx.x] = a.ids[row_place + threadIdx.x];
        shared.column_ids[threadIdx.x] = a.ids[column_place + threadIdx.x];
      }
      double keys[kEach][kEach];
      ComputeKeys<kNorm>(a, shared, keys);

      const int row = threadIdx.x / kThreadSide;
      const int column = threadIdx.x % kThreadSide;
      if constexpr (kNearest) {
        OfferKeys(a, row_place + row, column_place + column, keys);
        continue;
      }
      int column_sums[kEach] = {};
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const int32_t row_id = shared.row_ids[row + kThreadSide * i];
        int row_sum = 0;
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
          const int32_t column_id = shared.column_ids[column + kThreadSide * j];
          if (row_id >= 0 && column_id >= 0 && row_id != column_id &&
              keys[i][j] < a.count.radius_key) {
            ++row_sum;
            ++column_sums[j];
          }
        }
        if (row_sum != 0) {
          atomicAdd(shared.row_counts + first_row + row + kThreadSide * i,
                    row_sum);
        }
      }
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        // In the diagonal tile the row has counted the pair already.
        if (column_sums[j] == 0 || same) continue;
        atomicAdd(
            shared.column_counts + first_column + column + kThreadSide * j,
            column_sums[j]);
      }
    }
    if (kNearest) continue;
    __syncthreads();
    if (threadIdx.x < kTilePoints) {
      const int count = shared.column_counts[threadIdx.x];
      shared.column_counts[threadIdx.x] = 0;
      if (count != 0) {
        atomicAdd(a.counts + tile * kTilePoints + threadIdx.x, count);
      }
    }
  }
  if (kNearest) return;
  __syncthreads();
  if (threadIdx.x < kTilePoints) {
    const int count =
        shared.row_counts[threadIdx.x] + shared.list.points_within;
    if (count != 0) {
      atomicAdd(a.counts + item.row_tile * kTilePoints + threadIdx.x, count);
    }
  }
}

template <Norm kNorm>
void Launch(bool nearest, int64_t blocks, const TileArguments& arguments) {
  const auto kernel =
      nearest ? PlainTileKernel<kNorm, true> : PlainTileKernel<kNorm, false>;
  kernel<<<static_cast<unsigned int>(blocks), kTileThreads>>>(arguments);
}

}  // namespace

absl::Status LaunchPlainTiles(bool nearest, Norm norm,
                              const TileArguments& arguments) {
  const int64_t blocks = NumBlocks(arguments);
  if (blocks <= 0) return absl::OkStatus();
  switch (norm) {
    case Norm::kL2:
      Launch<Norm::kL2>(nearest, blocks, arguments);
      break;
    case Norm::kL1:
      Launch<Norm::kL1>(nearest, blocks, arguments);
      break;
    case Norm::kLInf:
      Launch<Norm::kLInf>(nearest, blocks, arguments);
      break;
  }
  return CudaLaunchStatus("plain tiles");
}

}  // namespace warpclust
