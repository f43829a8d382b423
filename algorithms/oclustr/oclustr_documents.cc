// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_documents.h"

#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"

namespace warpclust {
namespace {

absl::StatusOr<OClustRResult> ClusterGraph(
    const absl::StatusOr<CsrGraph>& graph, Stopwatch stopwatch,
    const OClustRDocumentsOptions& options) {
  RETURN_IF_ERROR(graph.status());
  const double seconds = stopwatch.Lap("graph");
  OClustROptions stages;
  stages.device = options.device;
  stages.num_threads = options.graph.num_threads;
  absl::StatusOr<OClustRResult> result = OClustR(*graph, stages);
  if (result.ok()) result->seconds.graph = seconds;
  return result;
}

}  // namespace

absl::StatusOr<OClustRResult> OClustRDocuments(
    const DocumentMatrix& documents, const OClustRDocumentsOptions& options) {
  ASSIGN_OR_RETURN(const Device device,
                   ChooseCosineDevice(options.device, documents, options.graph,
                                      /*clusters_only=*/true));
  if (device == Device::kCuda) {
    return internal::OClustRDocumentsCuda(documents, options.graph);
  }

  const Stopwatch stopwatch;
  OClustRDocumentsOptions on_cpu = options;
  on_cpu.device = Device::kCpu;
  return ClusterGraph(CosineGraphCpu(documents, options.graph), stopwatch,
                      on_cpu);
}

absl::StatusOr<OClustRResult> OClustRDocuments(
    const DenseDocuments& documents, const OClustRDocumentsOptions& options) {
  const Stopwatch stopwatch;
  return ClusterGraph(CosineGraph(documents, options.graph, options.device),
                      stopwatch, options);
}

}  // namespace warpclust
