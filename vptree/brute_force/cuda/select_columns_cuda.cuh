// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SelectColumns: the tiles of an item that bounds do not decide.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_SELECT_COLUMNS_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_SELECT_COLUMNS_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/launch.cuh"
#include "vptree/brute_force/cuda/lower_bests_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.cuh"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/brute_force/cuda/warp_key_cuda.cuh"
#include "vptree/points/distance_key.h"

namespace warpclust {

// Lists the column tiles of an item that must be computed.
struct ColumnTiles {
  int32_t tiles[kMostColumns];
  int32_t count;
  // Points of columns that lie within the radius of every row.
  int32_t points_within;
};

enum class TileVerdict : uint8_t { kLeftOut, kComputed, kUnknown };

// Decides by the distances to landmarks, which bound that of the centers. The
// relative error of these is at most 10^-9, which includes the rounding of the
// sums; radii are rounded up.
template <TileSearch kSearch>
__device__ TileVerdict JudgeTile(const TileArguments& a, int32_t row_tile,
                                 int32_t tile) {
  if constexpr (kSearch == TileSearch::kLabel) {
    if (!TileMatters(a.labels, tile, row_tile) &&
        !TileMatters(a.labels, row_tile, tile)) {
      return TileVerdict::kLeftOut;
    }
  }
  double nearest = 0;
  double farthest = INFINITY;
  for (const int32_t of : {row_tile, tile}) {
    const double* const distances =
        a.landmark_distances + int64_t{of / a.landmark_stride} * a.num_tiles;
    const double x = distances[row_tile];
    const double y = distances[tile];
    nearest = fmax(nearest, fabs(x - y) - 1e-9 * (x + y));
    farthest = fmin(farthest, (x + y) * (1 + 1e-9));
  }
  const double radii = a.radii[row_tile] + a.radii[tile];
  if constexpr (kSearch == TileSearch::kNearest) {
    const double reach =
        fmax(a.nearest.reaches[row_tile], a.nearest.reaches[tile]);
    return nearest - radii > reach     ? TileVerdict::kLeftOut
           : farthest - radii <= reach ? TileVerdict::kComputed
                                       : TileVerdict::kUnknown;
  }
  if (nearest - radii >= a.count.beyond) return TileVerdict::kLeftOut;
  return farthest - radii < a.count.beyond && nearest + radii >= a.count.within
             ? TileVerdict::kComputed
             : TileVerdict::kUnknown;
}

// Decides by bounds: leaves out a tile whose every distance to the row tile is
// too large, and answers one whose every distance is below the radius here.
// Errors as of JudgeTile. Called by the whole block; `list` is ready on return.
template <Norm kNorm, TileSearch kSearch>
__device__ void SelectColumns(const TileArguments& a, const TileItem& item,
                              ColumnTiles& list) {
  __shared__ TileVerdict verdicts[kMostColumns];
  if (threadIdx.x == 0) list.points_within = 0;
  if (threadIdx.x < kMostColumns) {
    const int32_t tile = item.first_column + static_cast<int>(threadIdx.x);
    verdicts[threadIdx.x] = tile < item.end_column
                                ? JudgeTile<kSearch>(a, item.row_tile, tile)
                                : TileVerdict::kLeftOut;
  }
  __syncthreads();
  const int lane = threadIdx.x & 31;
  for (int32_t tile = item.first_column + static_cast<int>(threadIdx.x >> 5);
       tile < item.end_column; tile += kTileWarps) {
    if (verdicts[tile - item.first_column] != TileVerdict::kUnknown) continue;
    const double distance = DistanceOf<kNorm>(WarpKey<kNorm>(
        a.centers + static_cast<int64_t>(item.row_tile) * a.dimensions,
        a.centers + static_cast<int64_t>(tile) * a.dimensions, a.dimensions));
    const double radii = a.radii[item.row_tile] + a.radii[tile];
    const double least = distance * (1 - 1e-9) - radii;
    const double most = distance * (1 + 1e-9) + radii;
    bool compute;
    if constexpr (kSearch == TileSearch::kNearest) {
      compute = least <=
                fmax(a.nearest.reaches[item.row_tile], a.nearest.reaches[tile]);
    } else {
      const bool within = most < a.count.within && tile != item.row_tile;
      compute = least < a.count.beyond && !within;
      if (within && kSearch == TileSearch::kCount) {
        if (lane == 0) atomicAdd(&list.points_within, a.sizes[tile]);
        for (int i = lane; i < a.sizes[tile]; i += 32) {
          atomicAdd(a.counts + static_cast<int64_t>(tile) * kTilePoints + i,
                    a.sizes[item.row_tile]);
        }
      } else if (within) {
        LowerTile(a.labels, tile, item.row_tile);
        LowerTile(a.labels, item.row_tile, tile);
      }
    }
    __syncwarp();  // All lanes have read it.
    if (lane == 0) {
      verdicts[tile - item.first_column] =
          compute ? TileVerdict::kComputed : TileVerdict::kLeftOut;
    }
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const bool is_kept = verdicts[lane] == TileVerdict::kComputed;
    const uint32_t kept = __ballot_sync(kFullWarp, is_kept);
    if (is_kept) {
      // Nearest: the last are the nearest, and come first.
      const uint32_t before = kSearch == TileSearch::kNearest
                                  ? kept >> lane >> 1
                                  : kept & ((1u << lane) - 1);
      list.tiles[__popc(before)] = item.first_column + lane;
    }
    if (lane == 0) {
      list.count = __popc(kept);
      if (a.statistics != nullptr && kept != 0) {
        atomicAdd(a.statistics, static_cast<unsigned long long>(__popc(kept)) *
                                    kTilePoints * kTilePoints);
      }
    }
  }
  __syncthreads();
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_SELECT_COLUMNS_CUDA_CUH_
