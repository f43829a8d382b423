// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CosineGraphCpu with its internal choices made by the caller: for tests, which
// must see that no choice changes a byte, and for benchmarks.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_PLAN_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_PLAN_H_

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/filter/cosine_filter_tile.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// The plan CosineGraphCpu uses on this machine.
CosineFilterPlan DefaultCosineFilterPlan();

// InvalidArgument, besides what CosineGraphCpu says, if the plan asks for a
// level this processor lacks or for tiles outside [1, kMaxTileColumns].
absl::StatusOr<CsrGraph> CosineGraphCpuWithPlan(
    const DocumentMatrix& documents, const CosineGraphOptions& options,
    const CosineFilterPlan& plan);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_PLAN_H_
