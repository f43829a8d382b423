// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cuda/cosine_graph_cuda.h"

#include <utility>

#include "graph/cosine/cuda/cosine_join_cuda.h"
#include "graph/cosine/cuda/symmetric_graph_cuda.h"
#include "graph/cosine/decision/cosine_decision.h"

namespace warpclust {

absl::StatusOr<DeviceGraph> CosineGraphOnDevice(
    const DeviceDocuments& documents, const CosineGraphOptions& options) {
  absl::Status status = options.Validate();
  if (!status.ok()) return status;
  const CosineDecision decision = MakeCosineDecision(
      options.beta,
      options.integer_decisions && documents.statistics.integer_weights,
      documents.statistics.largest_squared_norm);
  absl::StatusOr<DevicePairs> pairs = JoinByCosine(documents, decision);
  if (!pairs.ok()) return pairs.status();
  return SymmetricGraph(*std::move(pairs));
}

absl::StatusOr<DeviceGraph> CosineGraphOnDevice(
    const DocumentMatrix& documents, const CosineGraphOptions& options) {
  absl::Status status = options.Validate();
  if (status.ok()) status = ValidateDocuments(documents);
  if (!status.ok()) return status;
  absl::StatusOr<DeviceDocuments> on_device = UploadDocuments(documents);
  if (!on_device.ok()) return on_device.status();
  return CosineGraphOnDevice(*on_device, options);
}

absl::StatusOr<CsrGraph> CosineGraphCuda(const DocumentMatrix& documents,
                                         const CosineGraphOptions& options) {
  absl::StatusOr<DeviceGraph> graph = CosineGraphOnDevice(documents, options);
  if (!graph.ok()) return graph.status();
  return DownloadGraph(*graph);
}

}  // namespace warpclust
