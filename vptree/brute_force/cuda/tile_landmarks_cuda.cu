// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "vptree/brute_force/cuda/tile_landmarks_cuda.h"
#include "vptree/brute_force/cuda/warp_key_cuda.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
constexpr int32_t kMostLandmarks = 256;
// With fewer tiles per landmark, finding the distances takes a large part of
// what they save.
constexpr int32_t kLeastStride = 16;

// One warp per tile; row y of the grid has landmark y.
template <Norm kNorm>
__global__ void __launch_bounds__(kThreads)
    LandmarkKernel(const double* centers, int32_t dimensions, int32_t num_tiles,
                   int32_t stride, double* distances) {
  const int32_t tile = (blockIdx.x * kThreads + threadIdx.x) >> 5;
  if (tile >= num_tiles) return;
  const int64_t landmark = int64_t{blockIdx.y} * stride;
  const double distance = DistanceOf<kNorm>(
      WarpKey<kNorm>(centers + landmark * dimensions,
                     centers + int64_t{tile} * dimensions, dimensions));
  if ((threadIdx.x & 31) == 0) {
    distances[int64_t{blockIdx.y} * num_tiles + tile] = distance;
  }
}

}  // namespace

absl::StatusOr<TileLandmarks> MakeTileLandmarks(const PointTiles& tiles,
                                                int32_t num_dimensions,
                                                Norm norm) {
  const int32_t n = tiles.num_tiles;
  const auto ceiling = [n](int32_t by) { return (n + by - 1) / by; };
  TileLandmarks landmarks;
  landmarks.stride = std::max(kLeastStride, ceiling(kMostLandmarks));
  const int32_t count = ceiling(landmarks.stride);
  if (count == 0) return landmarks;
  RETURN_IF_ERROR(AllocateInto(int64_t{count} * n, landmarks.distances));
  const auto kernel = norm == Norm::kL2   ? LandmarkKernel<Norm::kL2>
                      : norm == Norm::kL1 ? LandmarkKernel<Norm::kL1>
                                          : LandmarkKernel<Norm::kLInf>;
  const dim3 grid(BlocksFor(n, kThreads / 32), static_cast<unsigned>(count));
  kernel<<<grid, kThreads>>>(tiles.centers.data(), num_dimensions, n,
                             landmarks.stride, landmarks.distances.data());
  RETURN_IF_ERROR(CudaLaunchStatus("landmarks of the tiles"));
  return landmarks;
}

}  // namespace warpclust
