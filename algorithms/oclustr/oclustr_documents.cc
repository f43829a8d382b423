// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_documents.h"

#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"

namespace warpclust {

absl::StatusOr<OClustRResult> OClustRDocuments(
    const DocumentMatrix& documents, const OClustRDocumentsOptions& options) {
  ASSIGN_OR_RETURN(const Device device,
                   ChooseCosineDevice(options.device, documents, options.graph,
                                      /*clusters_only=*/true));
  if (device == Device::kCuda) {
    return internal::OClustRDocumentsCuda(documents, options.graph);
  }

  const Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const CsrGraph graph,
                   CosineGraphCpu(documents, options.graph));
  const double seconds = stopwatch.Seconds();
  OClustROptions stages;
  stages.device = Device::kCpu;
  stages.num_threads = options.graph.num_threads;
  absl::StatusOr<OClustRResult> result = OClustR(graph, stages);
  if (result.ok()) result->seconds.graph = seconds;
  return result;
}

}  // namespace warpclust
