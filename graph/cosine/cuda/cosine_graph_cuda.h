// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph on an NVIDIA GPU. Use graph/cosine/cosine_graph.h for a
// graph on the host, on any device; use this header to keep documents or the
// graph in GPU memory for what follows:
//
//   ASSIGN_OR_RETURN(DeviceDocuments documents, UploadDocuments(matrix));
//   ASSIGN_OR_RETURN(DeviceGraph graph,
//                    CosineGraphOnDevice(documents, options));
//
// Cost and device memory: graph/cosine/cuda/cosine_join_cuda.h; the graph
// itself takes 8 bytes per vertex and 16 per edge. Works on the default stream
// of the current GPU. Errors are those of CosineGraph.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_H_

#include <functional>

#include "absl/status/statusor.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "graph/csr/csr_graph.h"
#include "graph/csr/device_graph.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// As CosineGraph on Device::kCuda. Unavailable without a GPU.
absl::StatusOr<CsrGraph> CosineGraphCuda(const DocumentMatrix& documents,
                                         const CosineGraphOptions& options);

// The same graph, left in device memory.
absl::StatusOr<DeviceGraph> CosineGraphOnDevice(
    const DocumentMatrix& documents, const CosineGraphOptions& options);

// The same for documents that are already there, for repeated joins over one
// collection. Copies only a few counters to the host. `launched`: as of
// JoinByCosine.
absl::StatusOr<DeviceGraph> CosineGraphOnDevice(
    const DeviceDocuments& documents, const CosineGraphOptions& options,
    const std::function<void()>& launched = [] {});

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_H_
