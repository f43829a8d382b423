// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph on the CPU, all cores. See graph/cosine/cosine_graph.h for
// what it promises; use that unless you must not link CUDA code.
//
// Cost: the pairs are filtered tile by tile in 16-bit SIMD arithmetic (AVX-512,
// AVX2 or SSE2, found at run time), with float32 for documents too long or too
// large for it, and only what passes is decided exactly.
//
// Memory beside the documents: 22 to 30 bytes an edge at the peak, of which 16
// are the graph; about 14 bytes an entry; and a few MiB a thread.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_H_

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// As CosineGraph on Device::kCpu.
absl::StatusOr<CsrGraph> CosineGraphCpu(const DocumentMatrix& documents,
                                        const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_H_
