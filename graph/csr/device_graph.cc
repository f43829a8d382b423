// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/csr/device_graph.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {
namespace {

absl::StatusOr<DeviceGraph> Upload(const CsrGraph& graph) {
  ASSIGN_OR_RETURN(DeviceBuffer<int64_t> offsets,
                   DeviceBuffer<int64_t>::FromHost(graph.offsets));
  ASSIGN_OR_RETURN(DeviceBuffer<int32_t> neighbors,
                   DeviceBuffer<int32_t>::FromHost(graph.neighbors));
  ASSIGN_OR_RETURN(DeviceBuffer<float> weights,
                   DeviceBuffer<float>::FromHost(graph.weights));

  DeviceGraph device;
  device.num_vertices = graph.num_vertices();
  device.num_entries = graph.offsets.back();
  device.offsets = std::move(offsets);
  device.neighbors = std::move(neighbors);
  device.weights = std::move(weights);
  return device;
}

}  // namespace

absl::StatusOr<DeviceGraph> UploadGraph(const CsrGraph& graph) {
  RETURN_IF_ERROR(internal::CheckGraphArrays(graph));
  absl::StatusOr<DeviceGraph> device = Upload(graph);
  if (device.ok()) return device;
  return NameWhatDidNotFit(
      device.status(),
      absl::StrCat("a graph of ", graph.num_vertices(), " vertices and ",
                   graph.num_edges(), " edges on the GPU"));
}

absl::StatusOr<CsrGraph> DownloadGraph(const DeviceGraph& graph) {
  ASSIGN_OR_RETURN(std::vector<int64_t> offsets, graph.offsets.ToHost());
  ASSIGN_OR_RETURN(std::vector<int32_t> neighbors, graph.neighbors.ToHost());
  ASSIGN_OR_RETURN(std::vector<float> weights, graph.weights.ToHost());

  CsrGraph host;
  host.offsets = std::move(offsets);
  host.neighbors = std::move(neighbors);
  host.weights = std::move(weights);
  return host;
}

}  // namespace warpclust
