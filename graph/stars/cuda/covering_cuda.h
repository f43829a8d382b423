// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Initial centers found on the GPU. See covering.h. Only in builds with CUDA.

#ifndef WARPCLUST_GRAPH_STARS_CUDA_COVERING_CUDA_H_
#define WARPCLUST_GRAPH_STARS_CUDA_COVERING_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "graph/csr/device_graph.h"
#include "graph/stars/cuda/device_relevances.h"

namespace warpclust {

// InitialCenters for a graph in device memory. `relevances` may be of a larger
// graph that is dealt to ranks, of which `graph` has the rows from vertex
// `first_vertex` on: then the result are the centers that these rows name,
// which may be of other ranks. Device memory: about 40 bytes per vertex of the
// relevances, 4 per row.
absl::StatusOr<std::vector<int32_t>> InitialCentersCuda(
    const DeviceGraph& graph, const DeviceRelevances& relevances,
    int32_t first_vertex = 0);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_CUDA_COVERING_CUDA_H_
