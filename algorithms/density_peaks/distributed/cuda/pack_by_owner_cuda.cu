// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "algorithms/density_peaks/distributed/cuda/pack_by_owner_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    KeysKernel(const uint16_t* owners, int64_t count, uint32_t* keys,
               uint32_t* points) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  keys[i] = owners[i];
  points[i] = static_cast<uint32_t>(i);
}

// One thread per coordinate.
__global__ void __launch_bounds__(kThreads)
    PackKernel(const double* values, const uint32_t* points, int64_t count,
               int32_t dimensions, int64_t first, double* rows,
               int32_t* numbers) {
  const int64_t at = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t row = at / dimensions;
  if (row >= count) return;
  const int64_t k = at - row * dimensions;
  const int64_t point = points[row];
  rows[at] = values[point * dimensions + k];
  if (k == 0) numbers[row] = static_cast<int32_t>(first + point);
}

}  // namespace

absl::StatusOr<PackedBlock> PackByOwner(const DevicePoints& block,
                                        absl::Span<const uint16_t> owners,
                                        int num_owners, int64_t first) {
  const int64_t n = block.num_points;
  const int32_t d = block.num_dimensions;
  PackedBlock packed;
  if (n == 0) return packed;
  DeviceBuffer<uint32_t> sorted;
  {
    ASSIGN_OR_RETURN(const auto device_owners,
                     DeviceBuffer<uint16_t>::FromHost(owners));
    DeviceBuffer<uint32_t> keys;
    DeviceBuffer<uint32_t> sorted_keys;
    DeviceBuffer<uint32_t> points;
    RETURN_IF_ERROR(AllocateInto(n, keys));
    RETURN_IF_ERROR(AllocateInto(n, sorted_keys));
    RETURN_IF_ERROR(AllocateInto(n, points));
    RETURN_IF_ERROR(AllocateInto(n, sorted));
    KeysKernel<<<BlocksFor(n, kThreads), kThreads>>>(
        device_owners.data(), n, keys.data(), points.data());
    RETURN_IF_ERROR(CudaLaunchStatus("owners of points"));
    TemporaryStorage storage;
    RETURN_IF_ERROR(SortPairs(
        keys.data(), sorted_keys.data(), points.data(), sorted.data(), n, 0,
        std::max(1, SignificantBits(static_cast<uint64_t>(num_owners) - 1)),
        storage, nullptr));
  }
  RETURN_IF_ERROR(AllocateInto(n * d, packed.rows));
  RETURN_IF_ERROR(AllocateInto(n, packed.numbers));
  PackKernel<<<BlocksFor(n * d, kThreads), kThreads>>>(
      block.values.data(), sorted.data(), n, d, first, packed.rows.data(),
      packed.numbers.data());
  RETURN_IF_ERROR(CudaLaunchStatus("points by owner"));
  return packed;
}

}  // namespace warpclust
