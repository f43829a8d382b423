// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "graph/cosine/cuda/cosine_probe_cuda_entry.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<CosineProbeBackend>> CosineProbeCuda(
    DocumentMatrix, const CosineProbeOptions&) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
