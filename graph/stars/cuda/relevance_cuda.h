// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances on the GPU: the integers of RelevancesCpu.

#ifndef WARPCLUST_GRAPH_STARS_CUDA_RELEVANCE_CUDA_H_
#define WARPCLUST_GRAPH_STARS_CUDA_RELEVANCE_CUDA_H_

#include "absl/status/statusor.h"
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

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_CUDA_RELEVANCE_CUDA_H_
