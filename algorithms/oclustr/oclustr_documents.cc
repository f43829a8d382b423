// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/oclustr/oclustr_documents.h"

#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "graph/cosine/cosine_graph.h"
#include "graph/cosine/cosine_job.h"
#include "graph/csr/csr_graph.h"
#include "kernels/device/device_choice.h"

namespace warpclust {
namespace {

// DocumentMatrix or DenseDocuments.
template <typename Documents>
absl::StatusOr<OClustRResult> ClusterOnCpu(const Documents& documents,
                                           const CosineGraphOptions& options) {
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(const CsrGraph graph,
                   CosineGraph(documents, options, Device::kCpu));
  const double seconds = stopwatch.Lap("graph");
  OClustROptions stages;
  stages.device = Device::kCpu;
  stages.num_threads = options.num_threads;
  absl::StatusOr<OClustRResult> result = OClustR(graph, stages);
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
  return ClusterOnCpu(documents, options.graph);
}

absl::StatusOr<OClustRResult> OClustRDocuments(
    const DenseDocuments& documents, const OClustRDocumentsOptions& options) {
  const DenseCosineJob job = {documents.num_rows, documents.num_dimensions};
  ASSIGN_OR_RETURN(
      const Device device,
      ResolveDevice(options.device, Expect(job, options.graph.num_threads)));
  if (device == Device::kCuda) {
    return internal::OClustRDocumentsCuda(documents, options.graph,
                                          options.upload);
  }
  return ClusterOnCpu(documents, options.graph);
}

}  // namespace warpclust
