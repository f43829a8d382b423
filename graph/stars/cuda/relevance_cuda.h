// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances on the GPU: the integers of RelevancesCpu.

#ifndef WARPCLUST_GRAPH_STARS_CUDA_RELEVANCE_CUDA_H_
#define WARPCLUST_GRAPH_STARS_CUDA_RELEVANCE_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/relevance_table.h"

namespace warpclust {

struct DeviceGraph;  // graph/csr/device_graph.h

// As RelevancesCpu. Unavailable in a build without CUDA, ResourceExhausted if
// the graph does not fit the GPU.
absl::StatusOr<RelevanceTable> RelevancesCuda(const CsrGraph& graph);

// The same for a valid graph in device memory; only in builds with CUDA. Device
// memory: 40 bytes per vertex.
absl::StatusOr<RelevanceTable> RelevancesCuda(const DeviceGraph& graph);

// The same for a graph that is dealt to ranks, as in GraphShare
// (graph/csr/graph_share.h): `rows` are those of this rank, on its current GPU.
// A collective call; all ranks get the table of the whole graph. Device memory:
// 28 bytes per vertex of the whole graph, 12 per own one. A rank that lacks it
// gets its error alone, which ends the job.
absl::StatusOr<RelevanceTable> RelevancesCuda(Communicator& ranks,
                                              absl::Span<const int32_t> begins,
                                              const DeviceGraph& rows);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_CUDA_RELEVANCE_CUDA_H_
