// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/correlation/annealing/annealing_engines.h"

namespace warpclust::internal {

absl::Status RunAnnealingChainsCuda(const AnnealingPlan&, int,
                                    const SearchControl&,
                                    absl::Span<AnnealingChain>) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust::internal
