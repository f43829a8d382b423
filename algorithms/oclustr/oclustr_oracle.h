// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: OClustR written down from the paper (section 2.1) with sets and
// whole numbers, sharing no code with the library; and random graphs of the
// shapes that matter to it.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_ORACLE_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_ORACLE_H_

#include <cstdint>
#include <set>
#include <vector>

#include "graph/csr_graph.h"

namespace warpclust {

struct NaiveCluster {
  int32_t center = 0;
  std::set<int32_t> members;
  std::set<int32_t> linked;
};

struct NaiveOClustRResult {
  // |{u: d(v) >= d(u)}| + |{u: AIS(v) >= AIS(u)}| over the neighbors u of v.
  std::vector<int64_t> relevance_counts;
  std::set<int32_t> initial_centers;
  // By first member, then center.
  std::vector<NaiveCluster> clusters;
};

// Weights must be multiples of 2^-40 in [0, 2^20]. O(n · edges).
NaiveOClustRResult NaiveOClustR(const CsrGraph& graph);

// A valid graph of a shape and size (at most about 60 vertices) that the seed
// picks: sparse and dense random graphs, stars, cliques, several of them beside
// one another, isolated vertices, few or many different weights.
CsrGraph RandomGraph(uint32_t seed);

// Edges between random pairs, more between near ids so that stars overlap;
// weights in [1/4, 1]. For larger sizes.
CsrGraph RandomNeighborhoodGraph(int32_t num_vertices, int64_t num_edges,
                                 uint32_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_ORACLE_H_
