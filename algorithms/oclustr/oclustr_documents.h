// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OClustRDocuments: from documents to overlapping clusters in one call: the
// cosine graph (graph/cosine/cosine_graph.h) and OClustR on it. On a GPU the
// graph stays on the device; only rows that stage 3 reads leave it.
//
//   OClustRDocumentsOptions options;
//   options.graph.beta = "0.35";
//   absl::StatusOr<OClustRResult> result =
//       OClustRDocuments(documents, options);

#ifndef WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_DOCUMENTS_H_
#define WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_DOCUMENTS_H_

#include "absl/status/statusor.h"
#include "algorithms/oclustr/oclustr.h"
#include "graph/cosine/decision/cosine_graph_options.h"
#include "kernels/device/device.h"
#include "sparse/dense/dense_documents.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// graph/cosine/dense/cuda/device_dense_documents_cuda.h
struct DeviceDenseDocuments;
// kernels/memory/early_upload.h
template <typename T>
class EarlyUpload;

struct OClustRDocumentsOptions {
  // β, and the threads of all stages.
  CosineGraphOptions graph;
  // Unless null, has begun to copy the values of the documents, which are
  // dense, to the GPU. For one call.
  EarlyUpload<float>* upload = nullptr;
  Device device = Device::kAuto;
};

// One vertex per document, in the same order; documents without terms are
// clusters of their own. seconds.graph is the time to build the graph. The
// errors of CosineGraph and OClustR.
absl::StatusOr<OClustRResult> OClustRDocuments(
    const DocumentMatrix& documents, const OClustRDocumentsOptions& options);

// The same for dense documents; rows of zeros are clusters of their own.
absl::StatusOr<OClustRResult> OClustRDocuments(
    const DenseDocuments& documents, const OClustRDocumentsOptions& options);

// The same for dense documents in device memory, on that GPU; only in builds
// with CUDA.
absl::StatusOr<OClustRResult> OClustRDocuments(
    const DeviceDenseDocuments& documents, const CosineGraphOptions& options);

namespace internal {

// As OClustRDocuments on Device::kCuda. Unavailable in a build without CUDA.
absl::StatusOr<OClustRResult> OClustRDocumentsCuda(
    const DocumentMatrix& documents, const CosineGraphOptions& options);
absl::StatusOr<OClustRResult> OClustRDocumentsCuda(
    const DenseDocuments& documents, const CosineGraphOptions& options,
    EarlyUpload<float>* upload);

}  // namespace internal

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_OCLUSTR_OCLUSTR_DOCUMENTS_H_
