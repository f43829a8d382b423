// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Dense documents whose values lie in the memory of the GPU (AwaitGpuArray is
// OK), computed there. Without CUDA code in this build, Unavailable.

#ifndef WARPCLUST_PYTHON_C_API_GPU_ROWS_H_
#define WARPCLUST_PYTHON_C_API_GPU_ROWS_H_

#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/dense/dense_documents.h"

namespace warpclust {

absl::StatusOr<CsrGraph> CosineGraphOfGpuRows(
    const DenseDocuments& rows, const CosineGraphOptions& options);

absl::StatusOr<OClustRResult> OClustROfGpuRows(
    const DenseDocuments& rows, const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_PYTHON_C_API_GPU_ROWS_H_
