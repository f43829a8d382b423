// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustRDocumentsOnGpus: OClustRDocuments by several GPUs of this computer.
// Each has a part of the documents and the rows of the graph for it
// (oclustr_distributed.h). The clusters are the same, to the bit.
//
//   CosineGraphOptions options;
//   options.beta = "0.7";
//   ASSIGN_OR_RETURN(const OClustRResult result,
//                    OClustRDocumentsOnGpus(documents, options, 2));
//
// Cost: each GPU compares a part of the pairs, and sends its documents to half
// of the others; those that do not reach each other's memory exchange them
// through the host. Stage 3 runs on one thread, as with one GPU.

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_ON_GPUS_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_ON_GPUS_H_

#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// Result and errors as OClustRDocuments with Device::kCuda, and those of
// CheckNumGpus (kernels/device/gpu_ranks.h). The threads are those of all GPUs
// together; several GPUs do not use options.work. With sparse documents, the
// host holds them twice.
absl::StatusOr<OClustRResult> OClustRDocumentsOnGpus(
    const DocumentMatrix& documents, const CosineGraphOptions& options,
    int num_gpus);

// The same for dense documents.
absl::StatusOr<OClustRResult> OClustRDocumentsOnGpus(
    const DenseDocuments& documents, const CosineGraphOptions& options,
    int num_gpus);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_ON_GPUS_H_
