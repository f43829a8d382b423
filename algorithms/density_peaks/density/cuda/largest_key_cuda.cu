// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/largest_key_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;

// Nonnegative doubles are ordered as their bits are.
__global__ void __launch_bounds__(kThreads)
    LargestKeyKernel(const double* points, int32_t num_points,
                     int32_t num_dimensions, Norm norm, const double* row,
                     unsigned long long* largest) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  unsigned long long bits = 0;
  if (i < num_points) {
    bits = __double_as_longlong(
        DistanceKey(norm, row, points + i * num_dimensions, num_dimensions));
  }
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    bits = max(bits, __shfl_xor_sync(~0u, bits, distance));
  }
  if (threadIdx.x % kWarp == 0 && bits > 0) atomicMax(largest, bits);
}

}  // namespace

absl::StatusOr<double> LargestKeyCuda(const DevicePoints& points,
                                      absl::Span<const double> row) {
  RETURN_IF_ERROR(CheckLength("row", row.size(), points.num_dimensions));
  if (points.num_points == 0) return 0.0;
  ASSIGN_OR_RETURN(const auto device_row, DeviceBuffer<double>::FromHost(row));
  DeviceBuffer<unsigned long long> largest;
  RETURN_IF_ERROR(AllocateInto(1, largest));
  RETURN_IF_ERROR(largest.FillBytes(0));
  LargestKeyKernel<<<BlocksFor(points.num_points, kThreads), kThreads>>>(
      points.values.data(), points.num_points, points.num_dimensions,
      points.norm, device_row.data(), largest.data());
  RETURN_IF_ERROR(CudaLaunchStatus("largest key"));
  unsigned long long bits = 0;
  RETURN_IF_ERROR(largest.CopyToHost(absl::MakeSpan(&bits, 1)));
  double key = 0;
  std::memcpy(&key, &bits, sizeof(key));
  return key;
}

}  // namespace warpclust
