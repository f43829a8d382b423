// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What graph/cosine and graph/cosine/distributed call for Device::kCuda,
// without any header that exists only in builds with CUDA. In a build without
// CUDA these functions return Unavailable.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_CUDA_ENTRY_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_CUDA_ENTRY_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/numbers/decimal.h"
#include "graph/cosine/decision/cosine_block_backend.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/cosine/decision/cosine_probe_backend.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "graph/csr/csr_graph.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// As in graph/cosine/cuda/cosine_graph_cuda.h.
absl::StatusOr<CsrGraph> CosineGraphCuda(const DocumentMatrix& documents,
                                         const CosineGraphOptions& options);

// As in graph/cosine/dense/cuda/dense_cosine_graph_cuda.h.
absl::StatusOr<CsrGraph> DenseCosineGraphCuda(
    const DenseDocuments& documents, const CosineGraphOptions& options);

// As in graph/cosine/dense/cuda/dense_cosine_graph_cuda.h.
absl::Status DenseCosineProbeCuda(const DenseDocuments& block,
                                  const DenseDocuments& probes,
                                  const CosineProbeOptions& options,
                                  std::vector<ProbeEdge>* edges);

// `probes`, also their norms, and `options` must be valid.
absl::StatusOr<std::unique_ptr<CosineProbeBackend>> CosineProbeCuda(
    DocumentMatrix probes, const CosineProbeOptions& options);

// `block` must outlive the object; it is validated while it is uploaded.
// InvalidArgument as ValidateDocuments; ResourceExhausted if it does not fit.
// Runs on the current GPU of the calling thread. `copied` is called at most
// once, when the documents, or most of them, are there.
absl::StatusOr<std::unique_ptr<CosineBlockBackend<DocumentMatrix>>>
CosineBlockCuda(const DocumentMatrix& block, int num_threads,
                const std::function<void()>& copied);
// The same, as ValidateDenseDocuments. `beta`: that of SetOptions later. The
// block is joined while it is uploaded. `num_visitors`: how many rows will come
// at a time; with more of them, the block is copied once.
absl::StatusOr<std::unique_ptr<CosineBlockBackend<DenseDocuments>>>
DenseCosineBlockCuda(const DenseDocuments& block, const Decimal& beta,
                     int32_t num_visitors, const std::function<void()>& copied);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_CUDA_ENTRY_H_
