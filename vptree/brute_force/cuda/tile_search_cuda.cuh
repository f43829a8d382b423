// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Device functions of tile_search_cuda.h.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_SEARCH_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_SEARCH_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/launch.cuh"
#include "vptree/brute_force/cuda/point_tiles_cuda.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

inline constexpr int kTileThreads = 256;
inline constexpr int kTileWarps = kTileThreads / 32;
// The limits of a point without nearer points: an empty place, or the point of
// rank 0.
inline constexpr int32_t kNoLimit = -(1 << 27);
// The limits of a point without a neighbor so far, or whose reach is too long.
inline constexpr int32_t kLargestLimit = 1 << 27;
inline constexpr int32_t kUnlimited = INT32_MAX;

struct TileItem {
  int32_t row_tile = 0;
  int32_t first_column = 0;
  int32_t end_column = 0;  // the item is empty unless above first_column
};

// Row tiles of the same columns are neighbors: their columns stay in L2.
__device__ inline TileItem ItemOf(const TileArguments& a) {
  const int64_t item = a.first_item + blockIdx.x * a.item_stride;
  TileItem result;
  if (a.part == TilePart::kNear) {
    const int32_t rows = NumTilesOfShare(a);
    const int32_t run = static_cast<int32_t>(item / rows);
    result.row_tile = TileOfShare(a, static_cast<int32_t>(item % rows));
    result.end_column = result.row_tile + 1 - run * a.columns;
    result.first_column = max(0, result.end_column - a.columns);
    return result;  // empty if the end is not above 0
  }
  if (a.part == TilePart::kBetween) {
    const int32_t rows = a.num_tiles - a.first_part_tiles;
    const int32_t run = static_cast<int32_t>(item / rows);
    result.row_tile = a.first_part_tiles + static_cast<int32_t>(item % rows);
    result.first_column = run * a.columns;
    result.end_column =
        min(result.first_column + a.columns, a.first_part_tiles);
    return result;
  }
  // The last run with ItemsBefore(run) <= item: the smaller root, then exactly.
  const double p =
      static_cast<double>(a.num_tiles - FirstRowTile(a)) + 0.5 * a.columns;
  int64_t run = static_cast<int64_t>(
      (p - sqrt(fmax(p * p - 2.0 * a.columns * item, 0.0))) / a.columns);
  while (run > 0 && ItemsBefore(a, run) > item) --run;
  while (ItemsBefore(a, run + 1) <= item) ++run;
  result.first_column = static_cast<int32_t>(run) * a.columns;
  result.row_tile = static_cast<int32_t>(FirstRowTile(a) + result.first_column +
                                         (item - ItemsBefore(a, run)));
  result.end_column =
      min(result.first_column + a.columns,
          result.row_tile + 1 - static_cast<int32_t>(FirstRowTile(a)));
  return result;
}

template <Norm kNorm>
__device__ double ExactKey(const TileArguments& a, int32_t row_place,
                           int32_t column_place) {
  const double* x =
      a.values + static_cast<int64_t>(a.ids[row_place]) * a.dimensions;
  const double* y =
      a.values + static_cast<int64_t>(a.ids[column_place]) * a.dimensions;
  constexpr int kAtOnce = 8;  // loads in flight
  double key = 0;
  int k = 0;
  for (; k + kAtOnce <= a.dimensions; k += kAtOnce) {
    double p[kAtOnce];
    double q[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      p[i] = x[k + i];
      q[i] = y[k + i];
    }
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      key = AddToKey<kNorm>(key, p[i] - q[i]);
    }
  }
  for (; k < a.dimensions; ++k) key = AddToKey<kNorm>(key, x[k] - y[k]);
  return key;
}

// Returns an upper bound of the exact distance of points with at most this key.
template <Norm kNorm>
__device__ double ReachOfKey(const NearestState& s, double key) {
  const double most = (key + s.absolute_error) / (1 - s.relative_error);
  return (kNorm == Norm::kL2 ? sqrt(most) : most) * (1 + 1e-12);
}

// Sets the bound and the limits (tensor_sums_cuda.cuh) of the point at `place`
// for a known key of a distance of at most `reach`.
__device__ inline void Tighten(const NearestState& s, int32_t place,
                               double reach) {
  if (s.bounds == nullptr) return;
  const unsigned long long bits =
      static_cast<unsigned long long>(__double_as_longlong(reach));
  if (bits >= atomicMin(s.bounds + place, bits)) return;
  const double near = reach / s.step;
  const double first = near + s.first_error;
  atomicMin(s.first_limits + place,
            static_cast<int32_t>(
                fmin(first * first * (1 + 1e-12) / 2, 1.0 * kLargestLimit)));
  const double farthest = near + 3 * s.first_error;
  if (128 * farthest * farthest > (1 << 30)) return;
  const double second = near + s.second_error;
  atomicMin(s.second_limits + place,
            static_cast<int32_t>(ceil(128 * second * second * (1 + 1e-12))) +
                s.slack);
}

// Makes `id` with `key` the best neighbor of the point at `place` if it is
// preferred. The id is written before the key and read after it, so the id read
// is at least as new as the key: a candidate refused without the lock is worse
// than an answer that was there.
__device__ inline void Offer(const NearestState& s, int32_t place, double key,
                             int32_t id) {
  volatile double* keys = s.keys;
  volatile int32_t* ids = s.ids;
  const double seen = keys[place];
  if (key > seen) return;
  __threadfence();
  if (key == seen && id >= ids[place]) return;
  for (bool done = false; !done;) {
    if (atomicCAS(s.locks + place, 0, 1) != 0) continue;
    __threadfence();
    const double best = keys[place];
    if (Preferred(key, id, best, ids[place])) {
      ids[place] = id;
      __threadfence();
      keys[place] = key;
      if (key < best) Tighten(s, place, ReachOfKey<Norm::kL2>(s, key));
    }
    __threadfence();
    atomicExch(s.locks + place, 0);
    done = true;
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_SEARCH_CUDA_CUH_
