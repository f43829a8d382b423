// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/row_reduce.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "kernels/primitives_cuda.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// The keys of RelevanceOrder, each turned around so that it ascends.

__global__ void WeightKeysKernel(const uint64_t* __restrict__ weight_sums,
                                 uint64_t largest, int32_t n,
                                 uint64_t* __restrict__ keys,
                                 uint32_t* __restrict__ vertices) {
  const int64_t v = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (v >= n) return;
  keys[v] = largest - weight_sums[v];
  vertices[v] = static_cast<uint32_t>(v);
}

__global__ void DegreeKeysKernel(const int32_t* __restrict__ degrees,
                                 int32_t largest,
                                 const uint32_t* __restrict__ vertices,
                                 int32_t n, uint32_t* __restrict__ keys) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  keys[i] = static_cast<uint32_t>(largest - degrees[vertices[i]]);
}

// Vertices of relevance 0, isolated ones too, have the largest key.
__global__ void RelevanceKeysKernel(const uint32_t* __restrict__ counts,
                                    const int32_t* __restrict__ degrees,
                                    const uint32_t* __restrict__ vertices,
                                    int32_t n, uint64_t* __restrict__ keys) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= n) return;
  const uint32_t v = vertices[i];
  keys[i] =
      degrees[v] == 0 ? ~uint64_t{0} : ~RelevanceKey(counts[v], degrees[v]);
}

__global__ void RanksKernel(const uint32_t* __restrict__ vertices, int32_t n,
                            uint32_t* __restrict__ ranks) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) ranks[vertices[i]] = static_cast<uint32_t>(i);
}

// All vertices by RelevanceOrder, those of relevance 0 at the end, and the
// place of each.
struct RankedVertices {
  DeviceBuffer<uint32_t> vertices;
  DeviceBuffer<uint32_t> ranks;
};

// Stable sorts by the keys of RelevanceOrder, the last key first. Vertices
// start by id.
absl::StatusOr<RankedVertices> RankVertices(const DeviceRelevances& relevances,
                                            const Stream& stream) {
  const int32_t n = relevances.num_vertices();
  const unsigned blocks = BlocksFor(n, kThreads);
  // A weight in fixed point is below 2^32, and a sum has less than n.
  const int degree_bits = SignificantBits(n);
  const int sum_bits = std::min(63, 32 + degree_bits);
  ASSIGN_OR_RETURN(DeviceBuffer<uint64_t> keys,
                   DeviceBuffer<uint64_t>::Allocate(n));
  ASSIGN_OR_RETURN(DeviceBuffer<uint64_t> sorted_keys,
                   DeviceBuffer<uint64_t>::Allocate(n));
  ASSIGN_OR_RETURN(DeviceBuffer<uint32_t> vertices,
                   DeviceBuffer<uint32_t>::Allocate(n));
  ASSIGN_OR_RETURN(DeviceBuffer<uint32_t> other_vertices,
                   DeviceBuffer<uint32_t>::Allocate(n));
  TemporaryStorage storage;

  WeightKeysKernel<<<blocks, kThreads, 0, stream.get()>>>(
      relevances.weight_sums.data(), (uint64_t{1} << sum_bits) - 1, n,
      keys.data(), vertices.data());
  RETURN_IF_ERROR(CudaLaunchStatus("weight keys"));
  RETURN_IF_ERROR(SortPairs(keys.data(), sorted_keys.data(), vertices.data(),
                            other_vertices.data(), n, 0, sum_bits, storage,
                            stream.get()));

  uint32_t* const short_keys = reinterpret_cast<uint32_t*>(keys.data());
  uint32_t* const sorted_short_keys =
      reinterpret_cast<uint32_t*>(sorted_keys.data());
  DegreeKeysKernel<<<blocks, kThreads, 0, stream.get()>>>(
      relevances.degrees.data(), n, other_vertices.data(), n, short_keys);
  RETURN_IF_ERROR(CudaLaunchStatus("degree keys"));
  RETURN_IF_ERROR(SortPairs(short_keys, sorted_short_keys,
                            other_vertices.data(), vertices.data(), n, 0,
                            degree_bits, storage, stream.get()));

  RelevanceKeysKernel<<<blocks, kThreads, 0, stream.get()>>>(
      relevances.counts.data(), relevances.degrees.data(), vertices.data(), n,
      keys.data());
  RETURN_IF_ERROR(CudaLaunchStatus("relevance keys"));
  RETURN_IF_ERROR(SortPairs(keys.data(), sorted_keys.data(), vertices.data(),
                            other_vertices.data(), n, 0, 64, storage,
                            stream.get()));
  RanksKernel<<<blocks, kThreads, 0, stream.get()>>>(other_vertices.data(), n,
                                                     vertices.data());
  RETURN_IF_ERROR(CudaLaunchStatus("ranks"));
  return RankedVertices{std::move(other_vertices), std::move(vertices)};
}

// Marks the first of every closed neighborhood; of an isolated vertex that is
// itself.
struct FirstOperation {
  const int32_t* __restrict__ neighbors;
  const uint32_t* __restrict__ ranks;
  const uint32_t* __restrict__ vertices;  // by rank
  int32_t first_vertex;                   // of the rows
  uint8_t* __restrict__ is_center;        // by vertex

  __device__ uint64_t Begin(int32_t v) const { return ranks[first_vertex + v]; }
  __device__ uint64_t Map(int32_t, int64_t entry) const {
    return __ldg(ranks + neighbors[entry]);
  }
  __device__ uint64_t Combine(uint64_t a, uint64_t b) const {
    return a < b ? a : b;
  }
  __device__ void End(int32_t, int64_t, uint64_t best) const {
    // All writers write the same byte.
    is_center[vertices[best]] = 1;
  }
};

}  // namespace

absl::StatusOr<std::vector<int32_t>> InitialCentersCuda(
    const DeviceGraph& graph, const DeviceRelevances& relevances,
    int32_t first_vertex) {
  const int32_t n = relevances.num_vertices();
  std::vector<int32_t> centers;
  if (n == 0) return centers;
  ASSIGN_OR_RETURN(Stream stream, Stream::Create());
  ASSIGN_OR_RETURN(const RankedVertices ranked,
                   RankVertices(relevances, stream));
  ASSIGN_OR_RETURN(DeviceBuffer<uint8_t> is_center,
                   DeviceBuffer<uint8_t>::Allocate(n));
  RETURN_IF_ERROR(is_center.FillBytes(0));
  ASSIGN_OR_RETURN(
      DeviceBuffer<int32_t> hubs,
      DeviceBuffer<int32_t>::Allocate(int64_t{graph.num_vertices} + 1));
  const FirstOperation first{graph.neighbors.data(), ranked.ranks.data(),
                             ranked.vertices.data(), first_vertex,
                             is_center.data()};
  RETURN_IF_ERROR(ReduceRows(graph, first, hubs, stream));
  ASSIGN_OR_RETURN(const std::vector<uint8_t> flags, is_center.ToHost());
  for (int32_t v = 0; v < n; ++v) {
    if (flags[v]) centers.push_back(v);
  }
  return centers;
}

}  // namespace warpclust
