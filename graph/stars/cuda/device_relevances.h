// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceRelevances: the RelevanceTable of a graph in device memory, where
// initial centers are found (covering_cuda.h). Only in builds with CUDA.

#ifndef WARPCLUST_GRAPH_STARS_CUDA_DEVICE_RELEVANCES_H_
#define WARPCLUST_GRAPH_STARS_CUDA_DEVICE_RELEVANCES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/fixed_point_weight.h"
#include "graph/stars/relevance_table.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

class DeviceExchange;  // kernels/nccl/device_exchange.h

// The arrays of RelevanceTable.
struct DeviceRelevances {
  DeviceBuffer<int32_t> degrees;
  DeviceBuffer<uint64_t> weight_sums;
  DeviceBuffer<uint32_t> counts;
  FixedPointScale scale;

  int32_t num_vertices() const { return static_cast<int32_t>(degrees.size()); }
};

// Relevances of a valid graph. InvalidArgument for a weight that is negative or
// not finite, ResourceExhausted if the GPU lacks memory: 40 bytes per vertex.
absl::StatusOr<DeviceRelevances> RelevancesOnDevice(const DeviceGraph& graph);

// The same for a graph that is dealt to ranks, as in GraphShare
// (graph/csr/graph_share.h): `rows` are those of this rank, on its current GPU.
// A collective call; each rank gets the relevances of the whole graph, which go
// from GPU to GPU by `exchange`. Device memory: 32 bytes per vertex of the
// whole graph, 4 per own one. Errors are the same on all ranks.
absl::StatusOr<DeviceRelevances> RelevancesOnDevice(
    Communicator& ranks, absl::Span<const int32_t> begins,
    const DeviceGraph& rows, DeviceExchange& exchange);

// Copies them to the host.
absl::StatusOr<RelevanceTable> DownloadRelevances(
    const DeviceRelevances& relevances);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_CUDA_DEVICE_RELEVANCES_H_
