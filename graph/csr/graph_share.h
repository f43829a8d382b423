// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GraphShare: the rows that one rank owns of an undirected graph whose vertices
// are dealt to the ranks of a job in blocks. Made by CosineGraphDistributed
// (graph/cosine/distributed), used by OClustRDistributed.

#ifndef WARPCLUST_GRAPH_CSR_GRAPH_SHARE_H_
#define WARPCLUST_GRAPH_CSR_GRAPH_SHARE_H_

#include <cstdint>
#include <vector>

#include "graph/csr/csr_graph.h"

namespace warpclust {

struct GraphShare {
  // Rank r owns vertices [begins[r], begins[r + 1]); the same on all ranks.
  std::vector<int32_t> begins = {0};
  // Row i is that of vertex begins[rank] + i. Neighbors have the numbers that
  // they have in the whole graph, so `rows` is no graph by itself.
  CsrGraph rows;

  int32_t num_vertices() const { return begins.back(); }
};

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_CSR_GRAPH_SHARE_H_
