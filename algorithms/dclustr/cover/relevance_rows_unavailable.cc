// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/dclustr/cover/relevance_rows_cuda.h"

namespace warpclust {

absl::Status CountRowsCuda(const AffectedGraph&, absl::Span<const VertexState>,
                           absl::Span<const int32_t>, int, RelevanceTable*) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
