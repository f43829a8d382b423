// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ExpectSameOnRanks: CosineGraphDistributed on the threads of several ranks,
// against one process.

#ifndef WARPCLUST_GRAPH_TESTING_GRAPH_ON_RANKS_H_
#define WARPCLUST_GRAPH_TESTING_GRAPH_ON_RANKS_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "base/communicator/communicator.h"
#include "base/communicator/thread_ranks.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/distributed/cosine_graph_distributed.h"
#include "graph/cosine/distributed/document_pieces.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/graph_share.h"
#include "gtest/gtest.h"
#include "kernels/device/device.h"

namespace warpclust {

// Beginnings of blocks, and the end; some of the blocks are empty.
inline std::vector<int32_t> RandomBegins(int num_ranks, int32_t n,
                                         uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<int32_t> begins = {0};
  for (int r = 1; r < num_ranks; ++r) {
    begins.push_back(seed % 3 == 0   ? n * r / num_ranks
                     : seed % 3 == 1 ? static_cast<int32_t>(random() % (n + 1))
                                     : (r % 2) * n / 2);
  }
  std::sort(begins.begin(), begins.end());
  begins.push_back(n);
  return begins;
}

// The rows of all shares against `whole`, the graph of one process.
template <typename Documents>
void ExpectSameOnRanks(const CsrGraph& whole, const Documents& documents,
                       const CosineGraphOptions& options,
                       const std::vector<int32_t>& begins, Device device,
                       const CosineExchange& exchange = {}) {
  const int p = static_cast<int>(begins.size()) - 1;
  std::vector<GraphShare> shares(p);
  const absl::Status status = RunOnThreads(p, [&](Communicator& ranks) {
    const int r = ranks.rank();
    auto share = CosineGraphDistributed(
        ranks, SliceRows(documents, begins[r], begins[r + 1]), options, device,
        exchange);
    if (share.ok()) shares[r] = *std::move(share);
    return share.status();
  });
  ASSERT_TRUE(status.ok()) << status;
  for (int r = 0; r < p; ++r) {
    ASSERT_EQ(shares[r].begins, begins);
    const CsrGraph& rows = shares[r].rows;
    ASSERT_EQ(rows.num_vertices(), begins[r + 1] - begins[r]);
    for (int32_t v = begins[r]; v < begins[r + 1]; ++v) {
      ASSERT_EQ(rows.NeighborsOf(v - begins[r]), whole.NeighborsOf(v))
          << "vertex " << v;
      ASSERT_EQ(rows.WeightsOf(v - begins[r]), whole.WeightsOf(v))
          << "vertex " << v;
    }
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_TESTING_GRAPH_ON_RANKS_H_
