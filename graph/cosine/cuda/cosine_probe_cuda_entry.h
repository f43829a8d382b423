// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What cosine_probe.cc calls for Device::kCuda, declared without any header
// that only builds with CUDA have. Internal to graph.

#ifndef WARPCLUST_GRAPH_COSINE_CUDA_COSINE_PROBE_CUDA_ENTRY_H_
#define WARPCLUST_GRAPH_COSINE_CUDA_COSINE_PROBE_CUDA_ENTRY_H_

#include <memory>

#include "absl/status/statusor.h"
#include "graph/cosine/decision/cosine_probe_backend.h"
#include "graph/cosine/decision/cosine_probe_options.h"
#include "sparse/matrix/document_matrix.h"

namespace warpclust {

// `probes` and `options` are valid but for the probes' norms: InvalidArgument
// if one is too large. Unavailable in a build without CUDA.
absl::StatusOr<std::unique_ptr<CosineProbeBackend>> CosineProbeCuda(
    DocumentMatrix probes, const CosineProbeOptions& options);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_COSINE_CUDA_COSINE_PROBE_CUDA_ENTRY_H_
