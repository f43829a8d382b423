// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_cuda.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_graph_cuda.h"
#include "graph/cosine/dense/cuda/dense_cosine_graph_cuda.h"
#include "graph/csr/device_graph.h"

namespace warpclust {
namespace {

absl::StatusOr<OClustRResult> Cluster(const absl::StatusOr<DeviceGraph>& graph,
                                      Stopwatch& stopwatch, int num_threads) {
  RETURN_IF_ERROR(graph.status());
  const double seconds = stopwatch.Lap("graph");
  absl::StatusOr<OClustRResult> result = OClustRCuda(*graph, num_threads);
  if (result.ok()) result->seconds.graph = seconds;
  return result;
}

}  // namespace

absl::StatusOr<OClustRResult> OClustRDocuments(
    const DeviceDenseDocuments& documents, const CosineGraphOptions& options) {
  Stopwatch stopwatch;
  return Cluster(DenseCosineGraphOnDevice(documents, options), stopwatch,
                 options.num_threads);
}

namespace internal {

absl::StatusOr<OClustRResult> OClustRDocumentsCuda(
    const DocumentMatrix& documents, const CosineGraphOptions& options) {
  Stopwatch stopwatch;
  return Cluster(CosineGraphOnDevice(documents, options), stopwatch,
                 options.num_threads);
}

absl::StatusOr<OClustRResult> OClustRDocumentsCuda(
    const DenseDocuments& documents, const CosineGraphOptions& options,
    EarlyUpload<float>* upload) {
  Stopwatch stopwatch;
  return Cluster(DenseCosineGraphOnDevice(documents, options, upload),
                 stopwatch, options.num_threads);
}

}  // namespace internal
}  // namespace warpclust
