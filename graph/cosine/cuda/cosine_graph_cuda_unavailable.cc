// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "graph/cosine/cuda/cosine_graph_cuda_entry.h"

namespace warpclust {

absl::StatusOr<CsrGraph> CosineGraphCuda(const DocumentMatrix&,
                                         const CosineGraphOptions&) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
