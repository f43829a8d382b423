// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <limits>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "graph/stars/covering.h"
#include "graph/stars/cuda/covering_cuda.h"
#include "graph/stars/cuda/row_reduce.cuh"
#include "kernels/device_buffer.h"
#include "kernels/stream.h"

namespace warpclust {
namespace {

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

}  // namespace warpclust
