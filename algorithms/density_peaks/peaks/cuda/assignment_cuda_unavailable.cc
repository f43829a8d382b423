// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"

namespace warpclust {
namespace {

absl::Status Unavailable() {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace

absl::StatusOr<Clusters> AssignClustersCuda(const DecisionGraph&,
                                            absl::Span<const int32_t>, int32_t,
                                            int) {
  return Unavailable();
}

absl::StatusOr<std::vector<int32_t>> NearestRootsCuda(absl::Span<const int32_t>,
                                                      absl::Span<const int32_t>,
                                                      int) {
  return Unavailable();
}

absl::Status FindChainEndsCuda(absl::Span<int32_t>) { return Unavailable(); }

}  // namespace warpclust
