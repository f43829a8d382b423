// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Relevances on the CPU, all cores. See relevance.h, and use that unless you
// must not link CUDA code.

#ifndef WARPCLUST_GRAPH_STARS_RELEVANCE_CPU_H_
#define WARPCLUST_GRAPH_STARS_RELEVANCE_CPU_H_

#include "absl/status/statusor.h"
#include "graph/csr/csr_graph.h"
#include "graph/stars/relevance_table.h"

namespace warpclust {

// As Relevances on Device::kCpu.
absl::StatusOr<RelevanceTable> RelevancesCpu(const CsrGraph& graph,
                                             int num_threads = 0);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_RELEVANCE_CPU_H_
