// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cuda/cosine_graph_cuda.h"

#include <utility>

#include "base/status/status_macros.h"
#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/cosine/cuda/ordered_pairs_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {

absl::StatusOr<DeviceGraph> CosineGraphOnDevice(
    const DeviceDocuments& documents, const CosineGraphOptions& options,
    const std::function<void()>& launched) {
  RETURN_IF_ERROR(options.Validate());
  const CosineDecision decision = MakeCosineDecision(
      options.beta,
      options.integer_decisions && documents.statistics.integer_weights,
      documents.statistics.largest_squared_norm);
  ASSIGN_OR_RETURN(DevicePairs pairs,
                   JoinByCosine(documents, decision, launched));
  return SymmetricGraph(std::move(pairs));
}

absl::StatusOr<DeviceGraph> CosineGraphOnDevice(
    const DocumentMatrix& documents, const CosineGraphOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  RETURN_IF_ERROR(ValidateDocuments(documents, options.num_threads));
  ASSIGN_OR_RETURN(DeviceDocuments on_device, UploadDocuments(documents));
  return CosineGraphOnDevice(on_device, options);
}

absl::StatusOr<CsrGraph> CosineGraphCuda(const DocumentMatrix& documents,
                                         const CosineGraphOptions& options) {
  ASSIGN_OR_RETURN(DeviceGraph graph, CosineGraphOnDevice(documents, options));
  return DownloadGraph(graph);
}

}  // namespace warpclust
