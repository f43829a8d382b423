// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SymmetricGraph: runs of pairs (j < i) made into a graph with every edge in
// both rows, on the GPU. Internal to graph/cosine_graph_cuda.
//
// Row v is its smaller neighbors, as the runs hold them, then its larger ones:
// the stable radix sort of all pairs by j brings those in ascending order.
// Device memory: 36 bytes a pair beside the 16 of the graph's two entries.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_SYMMETRIC_GRAPH_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_SYMMETRIC_GRAPH_CUDA_H_

#include "absl/status/statusor.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/csr/device_graph.h"

namespace warpclust {

// Pairs with a negative cosine are left out. `pairs` is consumed.
absl::StatusOr<DeviceGraph> SymmetricGraph(DevicePairs pairs);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_SYMMETRIC_GRAPH_CUDA_H_
