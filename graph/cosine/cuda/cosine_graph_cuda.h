// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cosine graph on an NVIDIA GPU. See graph/cosine/cosine_graph.h for what
// it promises; use that for a graph on the host whatever the device, and this
// to keep the graph in device memory for what follows.
//
// Cost and device memory: graph/cosine/cuda/cosine_join_cuda.h; the graph
// itself takes 8 bytes a vertex and 16 an edge. Works on the default stream of
// the current GPU. ResourceExhausted if documents, pairs or graph do not fit.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_H_

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

// The same for documents that UploadDocuments has put there: no host copy
// except of a few counters. For repeated joins over one collection.
absl::StatusOr<DeviceGraph> CosineGraphOnDevice(
    const DeviceDocuments& documents, const CosineGraphOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_GRAPH_CUDA_H_
