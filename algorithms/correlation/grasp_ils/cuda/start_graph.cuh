// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// HashGraph and DirectGraph: a signed graph in device memory, for the two
// layouts of cluster_sums.cuh.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_GRAPH_CUH_
#define WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_GRAPH_CUH_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/correlation/grasp_ils/cuda/cluster_sums.cuh"
#include "base/status/status_macros.h"
#include "graph/signed/signed_graph.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// The graph for HashSums.
template <typename Sum>
struct HashGraph {
  using Sums = HashSums<Sum>;
  DeviceBuffer<typename Sums::Edge> edges;
  DeviceBuffer<TablePlace> places;
  typename Sums::Layout layout = {};

  // The entries of a row of sums, for shared memory; 0: it holds none.
  int64_t row_entries() const { return 0; }

  absl::Status Upload(const SignedGraph& graph) {
    const int32_t n = graph.num_vertices();
    std::vector<TablePlace> host_places(n);
    int64_t quarters = 0;
    for (int32_t v = 0; v < n; ++v) {
      host_places[v] = {static_cast<uint32_t>(quarters),
                        Sums::Log2TableSize(graph.Degree(v))};
      quarters += int64_t{1} << (host_places[v].log2_size - 2);
    }
    if (quarters > UINT32_MAX) {
      return absl::ResourceExhaustedError(
          "correlation clustering on the GPU: expected a graph whose tables "
          "have "
          "at most 2^34 entries, found more; use the CPU");
    }
    std::vector<typename Sums::Edge> host_edges(graph.neighbors.size());
    for (size_t i = 0; i < host_edges.size(); ++i) {
      const int32_t v = graph.neighbors[i];
      host_edges[i] = {static_cast<Sum>(graph.weights[i]), v, host_places[v]};
    }
    ASSIGN_OR_RETURN(places, DeviceBuffer<TablePlace>::FromHost(host_places));
    layout = {places.data(), quarters * 4};
    ASSIGN_OR_RETURN(edges,
                     DeviceBuffer<typename Sums::Edge>::FromHost(host_edges));
    return absl::OkStatus();
  }
};

// The graph for DirectSums.
template <typename Sum>
struct DirectGraph {
  using Sums = DirectSums<Sum>;
  DeviceBuffer<typename Sums::Edge> edges;
  typename Sums::Layout layout = {};

  int64_t row_entries() const { return layout.stride; }

  absl::Status Upload(const SignedGraph& graph) {
    const int32_t stride = Sums::Stride(graph.num_vertices());
    layout = {stride, int64_t{stride} * graph.num_vertices()};
    std::vector<typename Sums::Edge> host_edges(graph.neighbors.size());
    for (size_t i = 0; i < host_edges.size(); ++i) {
      host_edges[i] = {static_cast<Sum>(graph.weights[i]), graph.neighbors[i]};
    }
    ASSIGN_OR_RETURN(edges,
                     DeviceBuffer<typename Sums::Edge>::FromHost(host_edges));
    return absl::OkStatus();
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_GRASP_ILS_CUDA_START_GRAPH_CUH_
