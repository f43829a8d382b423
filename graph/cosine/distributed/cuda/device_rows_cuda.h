// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of a graph in the memory of the GPU, and what ranks do with them: take
// some, and concatenate what comes from several ranks. As row_parts.h on the
// host. On the default stream of the current GPU.

#ifndef WARPCLUST_GRAPH_COSINE_DISTRIBUTED_CUDA_DEVICE_ROWS_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_DISTRIBUTED_CUDA_DEVICE_ROWS_CUDA_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"

namespace warpclust {

// The rows [begin, end) of `graph`, with their neighbors in [first_neighbor,
// end_neighbor).
absl::StatusOr<DeviceGraph> TakeRows(const DeviceGraph& graph, int32_t begin,
                                     int32_t end, int32_t first_neighbor,
                                     int32_t end_neighbor);

// Neighbors of some of the own vertices.
struct DeviceRowPart {
  // The vertex of the first row, counted from the first own vertex.
  int32_t first_row = 0;
  // Added to the neighbors.
  int32_t shift = 0;
  DeviceGraph rows;
};

// `num_rows` rows whose neighbors are those of `parts`, one after the other.
// Device memory: as much as the parts.
absl::StatusOr<DeviceGraph> ConcatenateRows(std::vector<DeviceRowPart> parts,
                                            int32_t num_rows);

// Copies rows to the host. The memory that `graph` has is used again, and more
// is cleared by num_threads; 0 is all cores.
absl::Status DownloadRows(const DeviceGraph& rows, int num_threads,
                          CsrGraph* graph);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_DISTRIBUTED_CUDA_DEVICE_ROWS_CUDA_H_
