// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceGraph: a CsrGraph in the memory of the current GPU: the same three
// arrays under the same conditions. Move-only.
//
// Device memory: 8 bytes per vertex and 16 per edge.

#ifndef WARPCLUST_GRAPH_CSR_DEVICE_GRAPH_H_
#define WARPCLUST_GRAPH_CSR_DEVICE_GRAPH_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

struct DeviceGraph {
  int32_t num_vertices = 0;
  // offsets[num_vertices]: twice the number of edges.
  int64_t num_entries = 0;
  DeviceBuffer<int64_t> offsets;  // num_vertices + 1
  DeviceBuffer<int32_t> neighbors;
  DeviceBuffer<float> weights;
};

// Copies `graph`, which must be valid, to the device. InvalidArgument if the
// lengths of its arrays do not fit, Unavailable without a GPU,
// ResourceExhausted if device memory does not suffice.
absl::StatusOr<DeviceGraph> UploadGraph(const CsrGraph& graph);

// Copies `graph` to the host.
absl::StatusOr<CsrGraph> DownloadGraph(const DeviceGraph& graph);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_DEVICE_GRAPH_H_
