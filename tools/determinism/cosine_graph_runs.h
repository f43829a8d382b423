// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph (graph/cosine/cosine_graph.h) of the determinism report.

#ifndef WARPCLUST_TOOLS_DETERMINISM_COSINE_GRAPH_RUNS_H_
#define WARPCLUST_TOOLS_DETERMINISM_COSINE_GRAPH_RUNS_H_

#include "absl/status/status.h"
#include "tools/determinism/inputs.h"
#include "tools/determinism/runner.h"

namespace warpclust {

// Counts, decided in integers and in double, and tf-idf weights, at a beta of
// 0.25. Digests have the arrays of the graph and the edge list as written.
absl::Status RunCosineGraph(const DocumentsInput& input,
                            DeterminismRunner* runner);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_DETERMINISM_COSINE_GRAPH_RUNS_H_
