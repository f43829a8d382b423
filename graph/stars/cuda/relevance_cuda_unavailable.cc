// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "graph/stars/cuda/relevance_cuda.h"

namespace warpclust {

absl::StatusOr<RelevanceTable> RelevancesCuda(const CsrGraph&) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
