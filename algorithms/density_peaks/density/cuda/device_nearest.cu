// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include "algorithms/density_peaks/density/cuda/device_nearest.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    DivideKernel(const NearestPoint* nearest, int64_t count, int32_t* ids,
                 double* keys) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  ids[i] = nearest[i].id;
  keys[i] = nearest[i].key;
}

__global__ void __launch_bounds__(kThreads)
    JoinKernel(const int32_t* ids, const double* keys, int64_t count,
               NearestPoint* nearest) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  nearest[i].id = ids[i];
  nearest[i].key = keys[i];
}

}  // namespace

absl::Status DeviceNearest::CopyFromHost(
    absl::Span<const NearestPoint> nearest) {
  ASSIGN_OR_RETURN(const auto points,
                   DeviceBuffer<NearestPoint>::FromHost(nearest));
  RETURN_IF_ERROR(AllocateInto(points.size(), ids));
  RETURN_IF_ERROR(AllocateInto(points.size(), keys));
  DivideKernel<<<BlocksFor(points.size(), kThreads), kThreads>>>(
      points.data(), points.size(), ids.data(), keys.data());
  return CudaLaunchStatus("nearest points to the GPU");
}

absl::Status DeviceNearest::CopyToHost(absl::Span<NearestPoint> nearest,
                                       int64_t first) const {
  DeviceBuffer<NearestPoint> points;
  RETURN_IF_ERROR(AllocateInto(static_cast<int64_t>(nearest.size()), points));
  JoinKernel<<<BlocksFor(points.size(), kThreads), kThreads>>>(
      ids.data() + first, keys.data() + first, points.size(), points.data());
  RETURN_IF_ERROR(CudaLaunchStatus("nearest points to the host"));
  return points.CopyToHost(nearest);
}

}  // namespace warpclust
