// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <limits>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "graph/stars/covering.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/row_reduce.cuh"
#include "kernels/cuda_status.h"
#include "kernels/device_buffer.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int kGatherThreads = 256;
constexpr unsigned kMostBlocks = 1u << 16;
// The rank of a vertex that is no candidate: see CandidateRanks.
constexpr uint64_t kNoRank = std::numeric_limits<int32_t>::max();

// Marks the best rank of every closed neighborhood. Vertices in no neighborhood
// of a candidate, the isolated ones, mark nothing.
struct BestRankOperation {
  const int32_t* __restrict__ neighbors;
  const int32_t* __restrict__ ranks;
  uint8_t* __restrict__ is_center;  // by rank

  __device__ uint64_t Begin(int32_t v) const {
    return static_cast<uint64_t>(ranks[v]);
  }
  __device__ uint64_t Map(int32_t, int64_t entry) const {
    return static_cast<uint64_t>(__ldg(ranks + neighbors[entry]));
  }
  __device__ uint64_t Combine(uint64_t a, uint64_t b) const {
    return a < b ? a : b;
  }
  __device__ void End(int32_t, int64_t, uint64_t best) const {
    // All writers write the same byte.
    if (best < kNoRank) is_center[best] = 1;
  }
};

// A block a row, one after another.
__global__ void __launch_bounds__(kGatherThreads)
    GatherRowsKernel(const int64_t* __restrict__ offsets,
                     const int32_t* __restrict__ neighbors,
                     const int32_t* __restrict__ vertices, int32_t count,
                     const int64_t* __restrict__ out_offsets,
                     int32_t* __restrict__ out) {
  for (int32_t i = blockIdx.x; i < count; i += gridDim.x) {
    const int32_t* const row = neighbors + offsets[vertices[i]];
    int32_t* const target = out + out_offsets[i];
    const int64_t degree = out_offsets[i + 1] - out_offsets[i];
    for (int64_t k = threadIdx.x; k < degree; k += kGatherThreads) {
      target[k] = row[k];
    }
  }
}

}  // namespace

absl::StatusOr<std::vector<int32_t>> InitialCentersCuda(
    const DeviceGraph& graph, const RelevanceTable& table) {
  const int32_t n = graph.num_vertices;
  const std::vector<int32_t> list = CandidateList(table);
  ASSIGN_OR_RETURN(Stream stream, Stream::Create());
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> ranks,
                   DeviceBuffer<int32_t>::FromHost(CandidateRanks(n, list)));
  ASSIGN_OR_RETURN(
      DeviceBuffer<uint8_t> is_center,
      DeviceBuffer<uint8_t>::Allocate(static_cast<int64_t>(list.size())));
  RETURN_IF_ERROR(is_center.FillBytes(0));
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> hubs,
                   DeviceBuffer<int32_t>::Allocate(int64_t{n} + 1));
  const BestRankOperation best{graph.neighbors.data(), ranks.data(),
                               is_center.data()};
  RETURN_IF_ERROR(ReduceRows(graph, best, hubs, stream));
  ASSIGN_OR_RETURN(const std::vector<uint8_t> flags, is_center.ToHost());

  std::vector<uint8_t> center_by_vertex(n, 0);
  for (size_t rank = 0; rank < list.size(); ++rank) {
    center_by_vertex[list[rank]] = flags[rank];
  }
  std::vector<int32_t> centers;
  for (int32_t v = 0; v < n; ++v) {
    if (table.degrees[v] == 0 || center_by_vertex[v]) centers.push_back(v);
  }
  return centers;
}

absl::StatusOr<GatheredRows> GatherRowsCuda(
    const DeviceGraph& graph, const RelevanceTable& table,
    const std::vector<int32_t>& vertices) {
  GatheredRows rows;
  rows.offsets.reserve(vertices.size() + 1);
  for (const int32_t v : vertices) {
    rows.offsets.push_back(rows.offsets.back() + table.degrees[v]);
  }
  if (rows.offsets.back() == 0) return rows;

  ASSIGN_OR_RETURN(Stream stream, Stream::Create());
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> device_vertices,
                   DeviceBuffer<int32_t>::FromHost(vertices));
  ASSIGN_OR_RETURN(DeviceBuffer<int64_t> out_offsets,
                   DeviceBuffer<int64_t>::FromHost(rows.offsets));
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> out,
                   DeviceBuffer<int32_t>::Allocate(rows.offsets.back()));
  const unsigned count = static_cast<unsigned>(vertices.size());
  const unsigned blocks = count < kMostBlocks ? count : kMostBlocks;
  GatherRowsKernel<<<blocks, kGatherThreads, 0, stream.get()>>>(
      graph.offsets.data(), graph.neighbors.data(), device_vertices.data(),
      static_cast<int32_t>(count), out_offsets.data(), out.data());
  RETURN_IF_ERROR(CudaLaunchStatus("gather rows"));
  ASSIGN_OR_RETURN(std::vector<int32_t> neighbors, out.ToHost());
  rows.neighbors = std::move(neighbors);
  return rows;
}

}  // namespace warpclust
