// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_documents.h"

#include "base/machine/stopwatch.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"

namespace warpclust {

absl::StatusOr<OClustRResult> OClustRDocuments(
    const DocumentMatrix& documents, const OClustRDocumentsOptions& options) {
  const absl::StatusOr<Device> device = ResolveDevice(options.device);
  if (!device.ok()) return device.status();
  if (*device == Device::kCuda) {
    return internal::OClustRDocumentsCuda(documents, options.graph);
  }

  const Stopwatch stopwatch;
  const absl::StatusOr<CsrGraph> graph =
      CosineGraphCpu(documents, options.graph);
  if (!graph.ok()) return graph.status();
  const double seconds = stopwatch.Seconds();
  OClustROptions stages;
  stages.device = Device::kCpu;
  stages.num_threads = options.graph.num_threads;
  absl::StatusOr<OClustRResult> result = OClustR(*graph, stages);
  if (result.ok()) result->seconds.graph = seconds;
  return result;
}

}  // namespace warpclust
