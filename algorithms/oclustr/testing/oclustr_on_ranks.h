// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A graph dealt to ranks, and their result against that of one process.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_TESTING_OCLUSTR_ON_RANKS_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_TESTING_OCLUSTR_ON_RANKS_H_

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "algorithms/oclustr/oclustr.h"
#include "base/communicator/communicator.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/graph_share.h"
#include "gtest/gtest.h"

namespace warpclust {

// Blocks of random sizes, some empty.
inline std::vector<int32_t> RandomBlocks(int num_ranks, int32_t n,
                                         uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<int32_t> begins = {0};
  for (int r = 1; r < num_ranks; ++r) {
    begins.push_back(static_cast<int32_t>(random() % (n + 1)));
  }
  begins.push_back(n);
  std::sort(begins.begin(), begins.end());
  return begins;
}

inline GraphShare ShareOf(const CsrGraph& graph,
                          const std::vector<int32_t>& begins, int rank) {
  GraphShare share;
  share.begins = begins;
  for (int32_t v = begins[rank]; v < begins[rank + 1]; ++v) {
    const auto neighbors = graph.NeighborsOf(v);
    const auto weights = graph.WeightsOf(v);
    share.rows.neighbors.insert(share.rows.neighbors.end(), neighbors.begin(),
                                neighbors.end());
    share.rows.weights.insert(share.rows.weights.end(), weights.begin(),
                              weights.end());
    share.rows.offsets.push_back(
        static_cast<int64_t>(share.rows.neighbors.size()));
  }
  return share;
}

// `result` is what OClustRDistributed gave this rank, `expected` what OClustR
// gives.
inline void ExpectSameResult(const OClustRResult& expected,
                             const OClustRResult& result,
                             const Communicator& ranks) {
  EXPECT_EQ(result.num_edges, expected.num_edges);
  EXPECT_EQ(result.num_initial_centers, expected.num_initial_centers);
  if (ranks.rank() > 0) {
    EXPECT_EQ(result.cover.num_clusters(), 0);
    return;
  }
  EXPECT_TRUE(result.cover == expected.cover);
  EXPECT_EQ(result.centers, expected.centers);
  EXPECT_EQ(result.num_satellites, expected.num_satellites);
  EXPECT_EQ(result.linked_offsets, expected.linked_offsets);
  EXPECT_EQ(result.linked, expected.linked);
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_TESTING_OCLUSTR_ON_RANKS_H_
