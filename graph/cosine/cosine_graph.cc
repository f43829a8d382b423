// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/cosine/cosine_graph.h"

#include "base/status/status_macros.h"
#include "graph/cosine/cosine_job.h"
#include "graph/cosine/cpu/cosine_graph_cpu.h"
#include "graph/cosine/cuda/cosine_cuda_entry.h"
#include "graph/cosine/dense/dense_cosine_graph_cpu.h"
#include "kernels/device/device_choice.h"

namespace warpclust {

absl::StatusOr<CsrGraph> CosineGraph(const DocumentMatrix& documents,
                                     const CosineGraphOptions& options,
                                     Device device) {
  ASSIGN_OR_RETURN(const Device resolved,
                   ChooseCosineDevice(device, documents, options,
                                      /*clusters_only=*/false));
  return resolved == Device::kCuda ? CosineGraphCuda(documents, options)
                                   : CosineGraphCpu(documents, options);
}

absl::StatusOr<CsrGraph> CosineGraph(const DenseDocuments& documents,
                                     const CosineGraphOptions& options,
                                     Device device) {
  const DenseCosineJob job = {documents.num_rows, documents.num_dimensions};
  ASSIGN_OR_RETURN(const Device resolved,
                   ResolveDevice(device, Expect(job, options.num_threads)));
  return resolved == Device::kCuda ? DenseCosineGraphCuda(documents, options)
                                   : DenseCosineGraphCpu(documents, options);
}

}  // namespace warpclust
