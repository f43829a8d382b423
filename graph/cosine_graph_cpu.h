// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph on the CPU, all cores. See graph/cosine_graph.h for what it
// promises; use that unless you must not link CUDA code.

#ifndef WARPCLUST_GRAPH_COSINE_GRAPH_CPU_H_
#define WARPCLUST_GRAPH_COSINE_GRAPH_CPU_H_

#include "absl/status/statusor.h"
#include "graph/cosine_graph_options.h"
#include "graph/csr_graph.h"
#include "sparse/document_matrix.h"

namespace warpclust {

// As CosineGraph on Device::kCpu.
absl::StatusOr<CsrGraph> CosineGraphCpu(const DocumentMatrix& documents,
                                        const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_GRAPH_CPU_H_
