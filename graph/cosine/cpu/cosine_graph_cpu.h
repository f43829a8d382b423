// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph on the CPU. Use graph/cosine/cosine_graph.h unless you must
// not link CUDA code.
//
// Cost: pairs are filtered tile by tile in 16-bit SIMD arithmetic (AVX-512,
// AVX2 or SSE2, chosen at run time), or in float32 for documents that are too
// long or too large for it. Only pairs that pass are decided exactly.
//
// Memory beside the documents: at most 18 to 26 bytes per edge, of which the
// graph takes 16; about 14 bytes per entry; and a few MiB per thread.

#ifndef WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_H_
#define WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_H_

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// CosineGraph on Device::kCpu; the errors are the same.
absl::StatusOr<CsrGraph> CosineGraphCpu(const DocumentMatrix& documents,
                                        const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CPU_COSINE_GRAPH_CPU_H_
