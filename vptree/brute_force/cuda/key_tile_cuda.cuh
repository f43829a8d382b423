// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KeyTile: the keys of 64 x 64 pairs of points, in the shared memory of a block
// of 256 threads, which have 4 x 4 of them each. 16 dimensions of all points
// are there at a time. A pair takes two double operations per dimension.
//
//   __shared__ KeyTile tile;
//   ... set tile.row_ids and tile.column_ids ...
//   double keys[KeyTile::kEach][KeyTile::kEach];
//   tile.Compute<kNorm>(values, dimensions, keys);
//   // keys[i][j]: of row tile.row_ids[tile.Row(i)] and the column of
//   Column(j).

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_KEY_TILE_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_KEY_TILE_CUDA_CUH_

#include <cstdint>

#include "vptree/points/distance_key.h"

namespace warpclust {

struct KeyTile {
  static constexpr int kSide = 64;
  static constexpr int kEach = 4;
  static constexpr int kThreadSide = kSide / kEach;
  static constexpr int kThreads = kThreadSide * kThreadSide;
  static constexpr int kDepth = 16;

  // The places of this thread's rows and columns.
  static __device__ int Row(int i) {
    return static_cast<int>(threadIdx.x) / kThreadSide + kThreadSide * i;
  }
  static __device__ int Column(int j) {
    return static_cast<int>(threadIdx.x) % kThreadSide + kThreadSide * j;
  }

  // Of points with `dimensions` values each, those of one after the other. All
  // threads call it; they may have set ids just before.
  template <Norm kNorm>
  __device__ void Compute(const double* values, int32_t dimensions,
                          double (&keys)[kEach][kEach]) {
    Compute<kNorm>(values, values, dimensions, keys);
  }
  // The same with rows and columns of different points.
  template <Norm kNorm>
  __device__ void Compute(const double* row_values, const double* column_values,
                          int32_t dimensions, double (&keys)[kEach][kEach]) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
#pragma unroll
      for (int j = 0; j < kEach; ++j) keys[i][j] = 0;
    }
    for (int first = 0; first < dimensions; first += kDepth) {
      __syncthreads();
      Load(row_values, dimensions, first, row_ids, rows);
      Load(column_values, dimensions, first, column_ids, columns);
      __syncthreads();
      const int depth = min(kDepth, dimensions - first);
#pragma unroll 4
      for (int k = 0; k < depth; ++k) {
        double x[kEach];
        double y[kEach];
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
          x[i] = rows[k][Row(i)];
          y[i] = columns[k][Column(i)];
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

  // Of points; -1 where none exist.
  int32_t row_ids[kSide];
  int32_t column_ids[kSide];
  double rows[kDepth][kSide + 1];
  double columns[kDepth][kSide + 1];

 private:
  // Dimensions from `first` on; 0 where there is no point or dimension.
  static __device__ void Load(const double* values, int32_t dimensions,
                              int first, const int32_t* ids,
                              double (*to)[kSide + 1]) {
    const int k = static_cast<int>(threadIdx.x) % kDepth;
    for (int i = static_cast<int>(threadIdx.x) / kDepth; i < kSide;
         i += kThreads / kDepth) {
      const int32_t id = ids[i];
      to[k][i] = id >= 0 && first + k < dimensions
                     ? values[static_cast<int64_t>(id) * dimensions + first + k]
                     : 0.0;
    }
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_KEY_TILE_CUDA_CUH_
