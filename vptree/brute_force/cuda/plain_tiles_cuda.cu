// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of tiles with every key computed, for norms and points without a
// filter.

#include <cuda_runtime.h>

#include "kernels/device/cuda_status.h"
#include "vptree/brute_force/cuda/key_tile_cuda.cuh"
#include "vptree/brute_force/cuda/lower_bests_cuda.cuh"
#include "vptree/brute_force/cuda/select_columns_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/distance_key.h"

namespace warpclust {
namespace {

constexpr int kSide = KeyTile::kSide;
constexpr int kEach = KeyTile::kEach;
constexpr int kThreadSide = KeyTile::kThreadSide;
static_assert(kTileThreads == KeyTile::kThreads);

struct Shared {
  ColumnTiles list;
  KeyTile tile;
  int32_t row_counts[kTilePoints];
  int32_t column_counts[kTilePoints];
};

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

// Lowers bests by the pairs within the radius. The diagonal tile as above.
__device__ void LowerByKeys(const TileArguments& a, int32_t row, int32_t column,
                            const double (&keys)[kEach][kEach]) {
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int32_t row_place = row + kThreadSide * i;
      const int32_t column_place = column + kThreadSide * j;
      // Empty places are no better than none, and look for nothing.
      if (keys[i][j] < a.count.radius_key &&
          PairMatters(a.labels, row_place, column_place)) {
        LowerBests(a.labels, row_place, column_place);
      }
    }
  }
}

template <Norm kNorm, TileSearch kSearch>
__global__ void __launch_bounds__(kTileThreads)
    PlainTileKernel(const __grid_constant__ TileArguments a) {
  __shared__ Shared shared;
  const TileItem item = ItemOf(a);
  SelectColumns<kNorm, kSearch>(a, item, shared.list);
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
        shared.tile.row_ids[threadIdx.x] = a.ids[row_place + threadIdx.x];
        shared.tile.column_ids[threadIdx.x] = a.ids[column_place + threadIdx.x];
      }
      double keys[kEach][kEach];
      shared.tile.Compute<kNorm>(a.values, a.dimensions, keys);

      const int32_t row = row_place + KeyTile::Row(0);
      const int32_t column = column_place + KeyTile::Column(0);
      if constexpr (kSearch == TileSearch::kNearest) {
        OfferKeys(a, row, column, keys);
        continue;
      } else if constexpr (kSearch == TileSearch::kLabel) {
        LowerByKeys(a, row, column, keys);
        continue;
      }
      int column_sums[kEach] = {};
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const int32_t row_id = shared.tile.row_ids[KeyTile::Row(i)];
        int row_sum = 0;
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
          const int32_t column_id = shared.tile.column_ids[KeyTile::Column(j)];
          if (row_id >= 0 && column_id >= 0 && row_id != column_id &&
              keys[i][j] < a.count.radius_key) {
            ++row_sum;
            ++column_sums[j];
          }
        }
        if (row_sum != 0) {
          atomicAdd(shared.row_counts + first_row + KeyTile::Row(i), row_sum);
        }
      }
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        // In the diagonal tile the row has counted the pair already.
        if (column_sums[j] == 0 || same) continue;
        atomicAdd(shared.column_counts + first_column + KeyTile::Column(j),
                  column_sums[j]);
      }
    }
    if (kSearch != TileSearch::kCount) continue;
    __syncthreads();
    if (threadIdx.x < kTilePoints) {
      const int count = shared.column_counts[threadIdx.x];
      shared.column_counts[threadIdx.x] = 0;
      if (count != 0) {
        atomicAdd(a.counts + tile * kTilePoints + threadIdx.x, count);
      }
    }
  }
  if (kSearch != TileSearch::kCount) return;
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
void Launch(TileSearch search, int64_t blocks, const TileArguments& arguments) {
  const auto kernel = search == TileSearch::kCount
                          ? PlainTileKernel<kNorm, TileSearch::kCount>
                      : search == TileSearch::kNearest
                          ? PlainTileKernel<kNorm, TileSearch::kNearest>
                          : PlainTileKernel<kNorm, TileSearch::kLabel>;
  kernel<<<static_cast<unsigned int>(blocks), kTileThreads>>>(arguments);
}

}  // namespace

absl::Status LaunchPlainTiles(TileSearch search, Norm norm,
                              const TileArguments& arguments) {
  const int64_t blocks = NumBlocks(arguments);
  if (blocks <= 0) return absl::OkStatus();
  switch (norm) {
    case Norm::kL2:
      Launch<Norm::kL2>(search, blocks, arguments);
      break;
    case Norm::kL1:
      Launch<Norm::kL1>(search, blocks, arguments);
      break;
    case Norm::kLInf:
      Launch<Norm::kLInf>(search, blocks, arguments);
      break;
  }
  return CudaLaunchStatus("plain tiles");
}

}  // namespace warpclust
