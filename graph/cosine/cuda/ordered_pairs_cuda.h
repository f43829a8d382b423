// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OrderPairs and SymmetricGraph: the runs of pairs of a join, which thread
// blocks write in any order, as rows in order, or as a graph with every edge in
// the rows of both its ends. On the GPU.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_ORDERED_PAIRS_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_ORDERED_PAIRS_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/csr/device_graph.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// The pairs of row i, ascending by j, at [offsets[r], offsets[r + 1]) with
// r = i - first_row of the runs.
struct OrderedPairs {
  int64_t num_pairs = 0;
  DeviceBuffer<int64_t> counts;    // One per row.
  DeviceBuffer<int64_t> offsets;   // One per row, and the end.
  DeviceBuffer<uint32_t> columns;  // j
  DeviceBuffer<uint64_t> values;   // i << 32 | bits of the cosine
};

// Omits pairs with a negative cosine, and frees `pairs`. Two reads of the runs
// and one write. Device memory: 12 bytes per pair beside the runs.
absl::StatusOr<OrderedPairs> OrderPairs(DevicePairs pairs);

// Omits pairs with a negative cosine, and frees `pairs`. Row v has its smaller
// neighbors, in the order of the runs, then the larger ones: a stable radix
// sort of all pairs by j brings those in ascending order. Device memory: 36
// bytes per pair beside the 16 of the graph's two entries.
absl::StatusOr<DeviceGraph> SymmetricGraph(DevicePairs pairs);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_ORDERED_PAIRS_CUDA_H_
