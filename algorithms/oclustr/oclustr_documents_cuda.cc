// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_cuda.h"
#include "algorithms/oclustr/oclustr_documents.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_graph_cuda.h"
#include "graph/csr/device_graph.h"

namespace warpclust {
namespace internal {

absl::StatusOr<OClustRResult> OClustRDocumentsCuda(
    const DocumentMatrix& documents, const CosineGraphOptions& options) {
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const DeviceGraph graph,
                   CosineGraphOnDevice(documents, options));
  const double seconds = stopwatch.Lap("graph");
  absl::StatusOr<OClustRResult> result =
      OClustRCuda(graph, options.num_threads);
  if (result.ok()) result->seconds.graph = seconds;
  return result;
}

}  // namespace internal
}  // namespace warpclust
