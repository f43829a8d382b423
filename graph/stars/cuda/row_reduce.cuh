// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ReduceRows: one value per row of a graph in device memory, from a function of
// its entries. A warp reduces a row of low degree; rows of hubs are collected
// and reduced by a block each, so that no warp walks a long row alone.
//
// An Operation is a small struct passed by value to kernels:
//   uint64_t Begin(int32_t v) const             the neutral element of Combine
//   uint64_t Map(int32_t v, int64_t entry) const
//   uint64_t Combine(uint64_t, uint64_t) const  associative and commutative
//   void End(int32_t v, int64_t degree, uint64_t value) const
// Begin is called once per thread. All operations are on integers, so the order
// of reduction does not show.

#ifndef WARPCLUST_GRAPH_STARS_CUDA_ROW_REDUCE_CUH_
#define WARPCLUST_GRAPH_STARS_CUDA_ROW_REDUCE_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "graph/csr/device_graph.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/stream.h"

namespace warpclust {

// Rows that hold at least this many entries go to a block.
inline constexpr int64_t kHubDegree = 1024;
inline constexpr int kRowThreads = 256;
// Blocks for hubs; each reduces one after another. Eight per SM of a large GPU.
inline constexpr int kHubBlocks = 1056;

template <typename Operation>
__device__ uint64_t WarpCombine(const Operation& operation, uint64_t value) {
  for (int step = 16; step > 0; step /= 2) {
    value = operation.Combine(
        value, __shfl_xor_sync(kFullWarp,
                               static_cast<unsigned long long>(value), step));
  }
  return value;
}

template <typename Operation>
__global__ void __launch_bounds__(kRowThreads)
    ReduceShortRowsKernel(Operation operation, int32_t num_vertices,
                          const int64_t* __restrict__ offsets,
                          int32_t* __restrict__ hubs,
                          int32_t* __restrict__ num_hubs) {
  const int lane = threadIdx.x % 32;
  const int64_t warp =
      (static_cast<int64_t>(blockIdx.x) * kRowThreads + threadIdx.x) / 32;
  if (warp >= num_vertices) return;
  const int32_t v = static_cast<int32_t>(warp);
  const int64_t begin = offsets[v];
  const int64_t end = offsets[v + 1];
  if (end - begin >= kHubDegree) {
    if (lane == 0) hubs[atomicAdd(num_hubs, 1)] = v;
    return;
  }
  uint64_t value = operation.Begin(v);
  for (int64_t entry = begin + lane; entry < end; entry += 32) {
    value = operation.Combine(value, operation.Map(v, entry));
  }
  value = WarpCombine(operation, value);
  if (lane == 0) operation.End(v, end - begin, value);
}

template <typename Operation>
__global__ void __launch_bounds__(kRowThreads)
    ReduceHubRowsKernel(Operation operation,
                        const int64_t* __restrict__ offsets,
                        const int32_t* __restrict__ hubs,
                        const int32_t* __restrict__ num_hubs) {
  constexpr int kWarps = kRowThreads / 32;
  __shared__ uint64_t partial[kWarps];
  const int lane = threadIdx.x % 32;
  const int count = *num_hubs;
  for (int hub = blockIdx.x; hub < count; hub += gridDim.x) {
    const int32_t v = hubs[hub];
    const int64_t begin = offsets[v];
    const int64_t end = offsets[v + 1];
    uint64_t value = operation.Begin(v);
    for (int64_t entry = begin + threadIdx.x; entry < end;
         entry += kRowThreads) {
      value = operation.Combine(value, operation.Map(v, entry));
    }
    value = WarpCombine(operation, value);
    if (lane == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int warp = 1; warp < kWarps; ++warp) {
        value = operation.Combine(value, partial[warp]);
      }
      operation.End(v, end - begin, value);
    }
    // The next row writes `partial` again.
    __syncthreads();
  }
}

// Queues the reduction of all rows of `graph`. `hubs` holds num_vertices + 1
// elements of scratch. Does not wait.
template <typename Operation>
absl::Status ReduceRows(const DeviceGraph& graph, const Operation& operation,
                        DeviceBuffer<int32_t>& hubs, const Stream& stream) {
  if (graph.num_vertices == 0) return absl::OkStatus();
  int32_t* const num_hubs = hubs.data();
  RETURN_IF_ERROR(
      CudaStatus(cudaMemsetAsync(num_hubs, 0, sizeof(int32_t), stream.get()),
                 "clear the number of hubs"));
  const unsigned blocks = BlocksFor(graph.num_vertices, kRowThreads / 32);
  ReduceShortRowsKernel<<<blocks, kRowThreads, 0, stream.get()>>>(
      operation, graph.num_vertices, graph.offsets.data(), num_hubs + 1,
      num_hubs);
  RETURN_IF_ERROR(CudaLaunchStatus("reduce short rows"));
  ReduceHubRowsKernel<<<kHubBlocks, kRowThreads, 0, stream.get()>>>(
      operation, graph.offsets.data(), num_hubs + 1, num_hubs);
  return CudaLaunchStatus("reduce rows of hubs");
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_CUDA_ROW_REDUCE_CUH_
