// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/ranks_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// Keys ascend where densities descend.
__global__ void KeysKernel(const int32_t* densities, int64_t count,
                           uint32_t* keys, uint32_t* ids) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  keys[i] = uint32_t{INT32_MAX} - static_cast<uint32_t>(densities[i]);
  ids[i] = static_cast<uint32_t>(i);
}

__global__ void InvertKernel(const uint32_t* order, int64_t count,
                             int32_t* ranks) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) ranks[order[i]] = static_cast<int32_t>(i);
}

}  // namespace

absl::Status DensityRanksCuda(const int32_t* densities, int64_t count,
                              DeviceBuffer<int32_t>& ranks) {
  RETURN_IF_ERROR(AllocateInto(count, ranks));
  if (count == 0) return absl::OkStatus();
  DeviceBuffer<uint32_t> keys, ids, sorted_keys, order;
  for (DeviceBuffer<uint32_t>* buffer : {&keys, &ids, &sorted_keys, &order}) {
    RETURN_IF_ERROR(AllocateInto(count, *buffer));
  }
  const unsigned blocks = BlocksFor(count, kThreads);
  KeysKernel<<<blocks, kThreads>>>(densities, count, keys.data(), ids.data());
  RETURN_IF_ERROR(CudaLaunchStatus("density keys"));
  TemporaryStorage storage;
  RETURN_IF_ERROR(SortPairs(keys.data(), sorted_keys.data(), ids.data(),
                            order.data(), count, /*begin_bit=*/0,
                            /*end_bit=*/32, storage, nullptr));
  InvertKernel<<<blocks, kThreads>>>(order.data(), count, ranks.data());
  return CudaLaunchStatus("density ranks");
}

}  // namespace warpclust
