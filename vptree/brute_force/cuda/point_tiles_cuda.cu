// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/primitives_cuda.h"
#include "vptree/brute_force/cuda/point_tiles_cuda.h"
#include "vptree/brute_force/cuda/warp_key_cuda.cuh"
#include "vptree/points/distance_key.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
constexpr int kMostPivots = 256;
// Points of a part per pivot: half a tile is lost for each pivot.
constexpr int kPointsAPivot = 2048;
// Pivots that a thread measures at once.
constexpr int kPivotsAtOnce = 16;
// The distance to the pivot in the sort key.
constexpr int kDistanceBits = 16;

struct AssignArguments {
  const int8_t* rows;
  int32_t num_points;
  int32_t first_part;
  int32_t row_bytes;
  int32_t num_pivots;
  uint32_t* keys;
  uint32_t* ids;
  int32_t* counts;  // one a group: a pivot's points of the first part, or other
};

__device__ int32_t PivotPoint(const AssignArguments& a, int pivot) {
  return static_cast<int32_t>((2 * static_cast<int64_t>(pivot) + 1) *
                              a.num_points / (2 * a.num_pivots));
}

__device__ int Dot(const int4& x, const int4& y) {
  int dot = __dp4a(x.x, y.x, 0);
  dot = __dp4a(x.y, y.y, dot);
  dot = __dp4a(x.z, y.z, dot);
  return __dp4a(x.w, y.w, dot);
}

// One thread per point. Shared memory holds 64 bytes of kPivotsAtOnce pivots at
// a time. Squared distances of digits are |x|^2 - 2 x y + |y|^2, by 4-way dot
// products.
__global__ void __launch_bounds__(kThreads) AssignKernel(AssignArguments a) {
  __shared__ int4 pivots[kPivotsAtOnce][4];
  __shared__ int pivot_norms[kPivotsAtOnce];
  const int64_t point =
      static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const int8_t* row =
      a.rows + min(point, static_cast<int64_t>(a.num_points) - 1) * a.row_bytes;
  int best = INT32_MAX;
  int best_pivot = 0;
  for (int first = 0; first < a.num_pivots; first += kPivotsAtOnce) {
    int dots[kPivotsAtOnce] = {};
    __syncthreads();
    if (threadIdx.x < kPivotsAtOnce) pivot_norms[threadIdx.x] = 0;
    for (int k = 0; k < a.row_bytes; k += 64) {
      __syncthreads();
      if (threadIdx.x < kPivotsAtOnce * 4) {
        const int p = threadIdx.x >> 2;
        if (first + p < a.num_pivots) {
          const int4 y = *reinterpret_cast<const int4*>(
              a.rows +
              static_cast<int64_t>(PivotPoint(a, first + p)) * a.row_bytes + k +
              16 * (threadIdx.x & 3));
          pivots[p][threadIdx.x & 3] = y;
          atomicAdd(pivot_norms + p, Dot(y, y));
        }
      }
      __syncthreads();
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const int4 x = *reinterpret_cast<const int4*>(row + k + 16 * q);
#pragma unroll
        for (int p = 0; p < kPivotsAtOnce; ++p) {
          dots[p] += Dot(x, pivots[p][q]);
        }
      }
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kPivotsAtOnce; ++p) {
      const int distance = pivot_norms[p] - 2 * dots[p];
      if (first + p < a.num_pivots && distance < best) {
        best = distance;
        best_pivot = first + p;
      }
    }
  }
  if (point >= a.num_points) return;
  int norm = 0;
  for (int k = 0; k < a.row_bytes; k += 4) {
    const int x = *reinterpret_cast<const int*>(row + k);
    norm = __dp4a(x, x, norm);
  }
  const float largest = 255.0f * sqrtf(static_cast<float>(a.row_bytes));
  const float distance = sqrtf(fmaxf(static_cast<float>(best + norm), 0.0f));
  const uint32_t place =
      min(static_cast<uint32_t>(distance / largest * (1 << kDistanceBits)),
          (1u << kDistanceBits) - 1);
  const int group =
      point < a.first_part ? best_pivot : a.num_pivots + best_pivot;
  a.keys[point] = (static_cast<uint32_t>(group) << kDistanceBits) | place;
  a.ids[point] = static_cast<uint32_t>(point);
  atomicAdd(a.counts + group, 1);
}

// `shifts[g]`: the distance from the sorted places of group g's points to their
// places in tiles.
__global__ void __launch_bounds__(kThreads)
    PlaceKernel(const uint32_t* keys, const uint32_t* sorted,
                const int32_t* shifts, int32_t num_points, int32_t* ids) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= num_points) return;
  ids[i + shifts[keys[i] >> kDistanceBits]] = static_cast<int32_t>(sorted[i]);
}

// One block per tile.
template <Norm kNorm>
__global__ void __launch_bounds__(kThreads)
    BoundKernel(const double* values, int32_t dimensions, const int32_t* ids,
                int32_t* sizes, double* centers, double* radii) {
  __shared__ int32_t members[kTilePoints];
  __shared__ double farthest[kThreads / 32];
  __shared__ int size;
  const int64_t tile = blockIdx.x;
  if (threadIdx.x == 0) size = 0;
  __syncthreads();
  if (threadIdx.x < kTilePoints) {
    const int32_t id = ids[tile * kTilePoints + threadIdx.x];
    if (id >= 0) members[atomicAdd(&size, 1)] = id;
  }
  __syncthreads();
  double* center = centers + tile * dimensions;
  for (int k = threadIdx.x; k < dimensions; k += kThreads) {
    double sum = 0;
    for (int i = 0; i < size; ++i) {
      sum += values[static_cast<int64_t>(members[i]) * dimensions + k];
    }
    center[k] = sum / max(size, 1);
  }
  __syncthreads();
  const int lane = threadIdx.x & 31;
  double most = 0;
  for (int i = threadIdx.x >> 5; i < size; i += kThreads / 32) {
    const double* point =
        values + static_cast<int64_t>(members[i]) * dimensions;
    most = fmax(most, WarpKey<kNorm>(point, center, dimensions));
  }
  if (lane == 0) farthest[threadIdx.x >> 5] = most;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < kThreads / 32; ++w) most = fmax(most, farthest[w]);
  // The errors of WarpKey.
  radii[tile] = DistanceOf<kNorm>(most) * (1 + 1e-9) + 1e-150;
  sizes[tile] = size;
}

absl::Status Bound(const DevicePoints& points, PointTiles& tiles) {
  RETURN_IF_ERROR(AllocateInto(tiles.num_tiles, tiles.sizes));
  RETURN_IF_ERROR(AllocateInto(tiles.num_tiles, tiles.radii));
  RETURN_IF_ERROR(AllocateInto(
      static_cast<int64_t>(tiles.num_tiles) * points.num_dimensions,
      tiles.centers));
  const auto kernel = points.norm == Norm::kL2   ? BoundKernel<Norm::kL2>
                      : points.norm == Norm::kL1 ? BoundKernel<Norm::kL1>
                                                 : BoundKernel<Norm::kLInf>;
  kernel<<<tiles.num_tiles, kThreads>>>(
      points.values.data(), points.num_dimensions, tiles.ids.data(),
      tiles.sizes.data(), tiles.centers.data(), tiles.radii.data());
  return CudaLaunchStatus("bounds of the tiles");
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    WriteKernel(const int32_t* ids, int32_t num_places, const T* by_place,
                T* by_point) {
  const int32_t place = blockIdx.x * kThreads + threadIdx.x;
  if (place < num_places && ids[place] >= 0) {
    by_point[ids[place]] = by_place[place];
  }
}

}  // namespace

absl::StatusOr<PointTiles> MakePointTiles(
    const DevicePoints& points, int32_t first_part,
    const DeviceBuffer<int8_t>& first_digits, int32_t row_bytes) {
  const int32_t n = points.num_points;
  const int parts = first_part < n ? 2 : 1;
  const int pivots = std::clamp(n / (parts * kPointsAPivot), 1, kMostPivots);
  const int groups = parts * pivots;
  DeviceBuffer<uint32_t> keys;
  DeviceBuffer<uint32_t> sorted_keys;
  DeviceBuffer<uint32_t> ids;
  DeviceBuffer<uint32_t> sorted_ids;
  DeviceBuffer<int32_t> device_counts;
  RETURN_IF_ERROR(AllocateInto(n, keys));
  RETURN_IF_ERROR(AllocateInto(n, sorted_keys));
  RETURN_IF_ERROR(AllocateInto(n, ids));
  RETURN_IF_ERROR(AllocateInto(n, sorted_ids));
  RETURN_IF_ERROR(AllocateInto(groups, device_counts));
  RETURN_IF_ERROR(device_counts.FillBytes(0));
  const unsigned blocks = BlocksFor(n, kThreads);
  AssignKernel<<<blocks, kThreads>>>({first_digits.data(), n, first_part,
                                      row_bytes, pivots, keys.data(),
                                      ids.data(), device_counts.data()});
  RETURN_IF_ERROR(CudaLaunchStatus("nearest pivots"));
  TemporaryStorage storage;
  RETURN_IF_ERROR(SortPairs(
      keys.data(), sorted_keys.data(), ids.data(), sorted_ids.data(), n, 0,
      kDistanceBits + SignificantBits(groups - 1), storage, nullptr));

  std::vector<int32_t> counts(static_cast<size_t>(groups));
  RETURN_IF_ERROR(device_counts.CopyToHost(absl::MakeSpan(counts)));
  PointTiles tiles;
  int32_t sorted = 0;
  for (int group = 0; group < groups; ++group) {
    const int32_t points_here = counts[group];
    counts[group] = tiles.num_tiles * kTilePoints - sorted;  // now the shift
    sorted += points_here;
    tiles.num_tiles += (points_here + kTilePoints - 1) / kTilePoints;
    if (group < pivots) tiles.first_part_tiles = tiles.num_tiles;
  }
  RETURN_IF_ERROR(device_counts.CopyFromHost(counts));
  RETURN_IF_ERROR(AllocateInto(tiles.num_places(), tiles.ids));
  RETURN_IF_ERROR(tiles.ids.FillBytes(0xff));
  PlaceKernel<<<blocks, kThreads>>>(sorted_keys.data(), sorted_ids.data(),
                                    device_counts.data(), n, tiles.ids.data());
  RETURN_IF_ERROR(CudaLaunchStatus("places of the points"));
  RETURN_IF_ERROR(Bound(points, tiles));
  return tiles;
}

template <typename T>
absl::Status WriteByPoint(const PointTiles& tiles,
                          const DeviceBuffer<T>& by_place,
                          DeviceBuffer<T>& by_point) {
  WriteKernel<<<BlocksFor(tiles.num_places(), kThreads), kThreads>>>(
      tiles.ids.data(), tiles.num_places(), by_place.data(), by_point.data());
  return CudaLaunchStatus("results by point");
}
template absl::Status WriteByPoint(const PointTiles&,
                                   const DeviceBuffer<int32_t>&,
                                   DeviceBuffer<int32_t>&);
template absl::Status WriteByPoint(const PointTiles&,
                                   const DeviceBuffer<double>&,
                                   DeviceBuffer<double>&);

}  // namespace warpclust
