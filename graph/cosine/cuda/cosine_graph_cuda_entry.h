// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What cosine_graph.cc calls for Device::kCuda, declared without any header
// that only builds with CUDA have. Internal to graph.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_ENTRY_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_ENTRY_H_

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// As in graph/cosine/cuda/cosine_graph_cuda.h. Unavailable in a build without
// CUDA.
absl::StatusOr<CsrGraph> CosineGraphCuda(const DocumentMatrix& documents,
                                         const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_ENTRY_H_
