// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cstdint>
#include <utility>

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
__device__ uint32_t KeyOf(int32_t density) {
  return uint32_t{INT32_MAX} - static_cast<uint32_t>(density);
}

__global__ void KeysKernel(const int32_t* densities, int64_t count,
                           uint32_t* keys, uint32_t* ids) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  keys[i] = KeyOf(densities[i]);
  ids[i] = static_cast<uint32_t>(i);
}

__global__ void InvertKernel(const uint32_t* order, int64_t count,
                             int32_t* ranks) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) ranks[order[i]] = static_cast<int32_t>(i);
}

__global__ void AmongKernel(const uint32_t* keys, const uint32_t* order,
                            int64_t count, const int32_t* densities,
                            const int32_t* places, int64_t num_queries,
                            int32_t* ranks) {
  const int64_t q = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (q >= num_queries) return;
  const uint32_t key = KeyOf(densities[q]);
  const auto place = static_cast<uint32_t>(places[q]);
  // Points of the ranks before `begin` are above the query, and none from `end`
  // on.
  int64_t begin = 0;
  int64_t end = count;
  while (begin < end) {
    const int64_t middle = (begin + end) / 2;
    const bool is_above =
        keys[middle] != key ? keys[middle] < key : order[middle] < place;
    (is_above ? begin : end) = is_above ? middle + 1 : middle;
  }
  ranks[q] = static_cast<int32_t>(begin);
}

}  // namespace

absl::Status DensityRanksCuda(const int32_t* densities, int64_t count,
                              DeviceRanks& ranks) {
  RETURN_IF_ERROR(AllocateInto(count, ranks.ranks));
  RETURN_IF_ERROR(AllocateInto(count, ranks.order));
  RETURN_IF_ERROR(AllocateInto(count, ranks.keys));
  if (count == 0) return absl::OkStatus();
  DeviceBuffer<uint32_t> keys, ids;
  RETURN_IF_ERROR(AllocateInto(count, keys));
  RETURN_IF_ERROR(AllocateInto(count, ids));
  const unsigned blocks = BlocksFor(count, kThreads);
  KeysKernel<<<blocks, kThreads>>>(densities, count, keys.data(), ids.data());
  RETURN_IF_ERROR(CudaLaunchStatus("density keys"));
  TemporaryStorage storage;
  RETURN_IF_ERROR(SortPairs(keys.data(), ranks.keys.data(), ids.data(),
                            ranks.order.data(), count, /*begin_bit=*/0,
                            /*end_bit=*/32, storage, nullptr));
  InvertKernel<<<blocks, kThreads>>>(ranks.order.data(), count,
                                     ranks.ranks.data());
  return CudaLaunchStatus("density ranks");
}

absl::Status DensityRanksCuda(const int32_t* densities, int64_t count,
                              DeviceBuffer<int32_t>& ranks) {
  DeviceRanks all;
  RETURN_IF_ERROR(DensityRanksCuda(densities, count, all));
  ranks = std::move(all.ranks);
  return absl::OkStatus();
}

absl::Status RanksAmongCuda(const DeviceRanks& points,
                            const DeviceBuffer<int32_t>& densities,
                            const DeviceBuffer<int32_t>& places,
                            DeviceBuffer<int32_t>& ranks) {
  RETURN_IF_ERROR(AllocateInto(densities.size(), ranks));
  if (densities.empty()) return absl::OkStatus();
  AmongKernel<<<BlocksFor(densities.size(), kThreads), kThreads>>>(
      points.keys.data(), points.order.data(), points.order.size(),
      densities.data(), places.data(), densities.size(), ranks.data());
  return CudaLaunchStatus("ranks among points");
}

}  // namespace warpclust
