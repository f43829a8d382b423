// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/correlation/bound/engine/fractional_engine.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<FractionalEngine>> NewFractionalEngineCuda(
    const FractionalProblem&, const SearchControl*) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
