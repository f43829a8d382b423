// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_documents.h"
#include "base/status/status_macros.h"
#include "graph/cosine/dense/cuda/dense_cosine_graph_cuda.h"
#include "graph/cosine/dense/cuda/device_dense_documents_cuda.h"
#include "graph/csr/device_graph.h"
#include "python/c_api/gpu_rows.h"

namespace warpclust {

absl::StatusOr<CsrGraph> CosineGraphOfGpuRows(
    const DenseDocuments& rows, const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  ASSIGN_OR_RETURN(const DeviceDenseDocuments documents,
                   CopyDenseDocumentsOfGpu(rows));
  ASSIGN_OR_RETURN(const DeviceGraph graph,
                   DenseCosineGraphOnDevice(documents, options));
  return DownloadGraph(graph);
}

absl::StatusOr<OClustRResult> OClustROfGpuRows(
    const DenseDocuments& rows, const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  ASSIGN_OR_RETURN(const DeviceDenseDocuments documents,
                   CopyDenseDocumentsOfGpu(rows));
  return OClustRDocuments(documents, options);
}

}  // namespace warpclust
