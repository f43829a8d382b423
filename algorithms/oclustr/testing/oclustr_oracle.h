// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: OClustR written down from the paper (section 2.1) with sets and
// whole numbers, sharing no code with the library. graph/stars has random
// graphs of the shapes that matter to it.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_TESTING_OCLUSTR_ORACLE_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_TESTING_OCLUSTR_ORACLE_H_

#include <cstdint>
#include <set>
#include <vector>

#include "graph/csr/csr_graph.h"

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

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_TESTING_OCLUSTR_ORACLE_H_
