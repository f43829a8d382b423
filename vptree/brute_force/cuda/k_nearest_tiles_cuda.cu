// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "vptree/brute_force/cuda/k_nearest_tiles_cuda.h"
#include "vptree/brute_force/cuda/key_tile_cuda.cuh"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_heap_cuda.cuh"

namespace warpclust {
namespace {

constexpr int kSide = KeyTile::kSide;
constexpr int kEach = KeyTile::kEach;
// What a query takes into its heap at a time.
constexpr int kMostFound = 16;

struct Arguments {
  const double* points;
  int32_t num_points;
  const double* queries;
  int32_t num_queries;
  int32_t dimensions;
  int32_t k;
  // As NeighborHeap has them, 32 queries after the other.
  double* heap_keys;
  int32_t* heap_ids;
  int32_t* ids;
  double* keys;
};

struct Shared {
  KeyTile tile;
  // Of the worst point in each full heap. No point is preferred to that of a
  // row without a query.
  double worst_keys[kSide];
  int32_t worst_ids[kSide];
  int32_t counts[kSide];
  double found_keys[kSide][kMostFound];
  int32_t found_ids[kSide][kMostFound];

  __device__ bool Improves(int row, double key, int32_t id) const {
    return Preferred(key, id, worst_keys[row], worst_ids[row]);
  }
};

// Offers the keys of a tile, whose columns are the points from `first` on. The
// thread of a row has its heap.
__device__ void Offer(const double (&keys)[kEach][kEach], int64_t first,
                      int32_t num_points, bool owns_row, Shared& shared,
                      NeighborHeap& heap) {
  const int thread = static_cast<int>(threadIdx.x);
  unsigned pending = 0;
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const int64_t id = first + KeyTile::Column(j);
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      if (id < num_points && shared.Improves(KeyTile::Row(i), keys[i][j],
                                             static_cast<int32_t>(id))) {
        pending |= 1u << (i * kEach + j);
      }
    }
  }
  // A row takes kMostFound points at a time. Which ones come first does not
  // matter, since the order of points is strict.
  while (__syncthreads_or(static_cast<int>(pending != 0)) != 0) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        const unsigned bit = 1u << (i * kEach + j);
        if ((pending & bit) == 0) continue;
        const int row = KeyTile::Row(i);
        const auto id = static_cast<int32_t>(first + KeyTile::Column(j));
        if (shared.Improves(row, keys[i][j], id)) {
          const int at = atomicAdd(shared.counts + row, 1);
          if (at >= kMostFound) continue;
          shared.found_keys[row][at] = keys[i][j];
          shared.found_ids[row][at] = id;
        }
        pending &= ~bit;
      }
    }
    __syncthreads();
    if (owns_row) {
      const int count = min(shared.counts[thread], kMostFound);
      for (int f = 0; f < count; ++f) {
        heap.Add(shared.found_keys[thread][f], shared.found_ids[thread][f]);
      }
      shared.counts[thread] = 0;
      shared.worst_keys[thread] = heap.worst_key;
      shared.worst_ids[thread] = heap.worst_id;
    }
  }
}

template <Norm kNorm>
__global__ void __launch_bounds__(KeyTile::kThreads)
    KNearestTilesKernel(const __grid_constant__ Arguments a) {
  __shared__ Shared shared;
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t query = int64_t{blockIdx.x} * kSide + thread;
  const bool owns_row = thread < kSide && query < a.num_queries;
  const int64_t heap_at = query / 32 * 32 * a.k + query % 32;
  NeighborHeap heap = {a.heap_keys + heap_at, a.heap_ids + heap_at, a.k};
  if (thread < kSide) {
    shared.tile.row_ids[thread] = owns_row ? static_cast<int32_t>(query) : -1;
    shared.counts[thread] = 0;
    shared.worst_keys[thread] = owns_row ? heap.worst_key : -1;
    shared.worst_ids[thread] = owns_row ? heap.worst_id : -1;
  }
  for (int64_t first = 0; first < a.num_points; first += kSide) {
    if (thread < kSide) {
      const int64_t point = first + thread;
      shared.tile.column_ids[thread] =
          point < a.num_points ? static_cast<int32_t>(point) : -1;
    }
    double keys[kEach][kEach];
    shared.tile.Compute<kNorm>(a.queries, a.points, a.dimensions, keys);
    Offer(keys, first, a.num_points, owns_row, shared, heap);
  }
  if (!owns_row) return;
  while (heap.size > 0) {
    const int64_t at = query * a.k + heap.size - 1;
    a.ids[at] = heap.ids[0];
    a.keys[at] = heap.keys[0];
    heap.RemoveTop();
  }
}

}  // namespace

absl::Status KNearestTiles(const DevicePoints& points,
                           const DevicePoints& queries, int32_t k,
                           DeviceBuffer<int32_t>& ids,
                           DeviceBuffer<double>& keys) {
  const int64_t count = queries.num_points;
  RETURN_IF_ERROR(AllocateInto(count * k, ids));
  RETURN_IF_ERROR(AllocateInto(count * k, keys));
  if (count == 0) return absl::OkStatus();
  const unsigned blocks = BlocksFor(count, kSide);
  DeviceBuffer<double> heap_keys;
  DeviceBuffer<int32_t> heap_ids;
  RETURN_IF_ERROR(AllocateInto(int64_t{blocks} * kSide * k, heap_keys));
  RETURN_IF_ERROR(AllocateInto(int64_t{blocks} * kSide * k, heap_ids));
  const auto kernel = points.norm == Norm::kL2 ? KNearestTilesKernel<Norm::kL2>
                      : points.norm == Norm::kL1
                          ? KNearestTilesKernel<Norm::kL1>
                          : KNearestTilesKernel<Norm::kLInf>;
  kernel<<<blocks, KeyTile::kThreads>>>(
      {points.values.data(), points.num_points, queries.values.data(),
       queries.num_points, points.num_dimensions, k, heap_keys.data(),
       heap_ids.data(), ids.data(), keys.data()});
  return CudaLaunchStatus("the k nearest points by brute force");
}

}  // namespace warpclust
