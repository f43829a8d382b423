// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GraphShare: the rows that one rank owns of an undirected graph whose vertices
// are dealt to the ranks of a job in blocks. Made by CosineGraphDistributed
// (graph/cosine/distributed), used by OClustRDistributed.

#ifndef WARPCLUST_GRAPH_CSR_GRAPH_SHARE_H_
#define WARPCLUST_GRAPH_CSR_GRAPH_SHARE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/csr/csr_graph.h"

namespace warpclust {

struct DeviceGraph;  // device_graph.h

struct GraphShare {
  // Rank r owns vertices [begins[r], begins[r + 1]); the same on all ranks.
  std::vector<int32_t> begins = {0};
  // Row i is that of vertex begins[rank] + i. Neighbors have the numbers that
  // they have in the whole graph, so `rows` is no graph by itself.
  CsrGraph rows;
  // The same on the GPU of this rank, instead of `rows`; on all ranks or on
  // none. Whoever frees them has that GPU as its current one.
  std::shared_ptr<const DeviceGraph> on_gpu;

  int32_t num_vertices() const { return begins.back(); }
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_GRAPH_SHARE_H_
