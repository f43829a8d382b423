// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineGraphCpu with its internal choices made by the caller: for tests that
// no choice changes a byte, and for benchmarks.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_PLAN_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_PLAN_H_

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The plan of CosineGraphCpu on this machine.
CosineFilterPlan DefaultCosineFilterPlan();

// Also InvalidArgument if this processor lacks the SIMD level of the plan, or
// if tile_columns is not in [1, kMaxTileColumns].
absl::StatusOr<CsrGraph> CosineGraphCpuWithPlan(
    const DocumentMatrix& documents, const CosineGraphOptions& options,
    const CosineFilterPlan& plan);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_PLAN_H_
