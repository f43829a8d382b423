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
#include "vptree/brute_force/cuda/nearest_pivots_cuda.h"
#include "vptree/brute_force/cuda/point_tiles_cuda.h"
#include "vptree/brute_force/cuda/warp_key_cuda.cuh"
#include "vptree/points/distance_key.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// Points of a part per pivot: half a tile is lost for each pivot.
constexpr int kPointsAPivot = 2048;

int32_t NumParts(int32_t num_points, int32_t first_part) {
  return first_part < num_points ? 2 : 1;
}

int32_t NumPivots(int32_t num_points, int32_t first_part) {
  return std::clamp(
      num_points / (NumParts(num_points, first_part) * kPointsAPivot), 1,
      kMostPivots);
}

// `shifts[g]`: the distance from the sorted places of group g's points to their
// places in tiles.
__global__ void __launch_bounds__(kThreads)
    PlaceKernel(const uint32_t* keys, const uint32_t* sorted,
                const int32_t* shifts, int32_t num_points, int32_t* ids) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= num_points) return;
  ids[i + shifts[keys[i] >> kPivotDistanceBits]] =
      static_cast<int32_t>(sorted[i]);
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

int64_t MostPlaces(int32_t num_points, int32_t first_part) {
  // Each group may leave a tile with one point.
  return num_points + int64_t{NumParts(num_points, first_part)} *
                          NumPivots(num_points, first_part) * (kTilePoints - 1);
}

absl::StatusOr<PointTiles> MakePointTiles(const DevicePoints& points,
                                          int32_t first_part,
                                          const QuantizedRows& by_id) {
  const int32_t n = points.num_points;
  const int pivots = NumPivots(n, first_part);
  const int groups = NumParts(n, first_part) * pivots;
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
  RETURN_IF_ERROR(
      AssignToPivots(by_id, n, first_part, pivots, keys, ids, device_counts));
  const unsigned blocks = BlocksFor(n, kThreads);
  TemporaryStorage storage;
  RETURN_IF_ERROR(SortPairs(
      keys.data(), sorted_keys.data(), ids.data(), sorted_ids.data(), n, 0,
      kPivotDistanceBits + SignificantBits(groups - 1), storage, nullptr));

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
