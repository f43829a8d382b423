// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/annealing.h"
#include "algorithms/correlation/annealing/annealing_engines.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust::internal {

absl::Status RunAnnealingChainsCuda(const AnnealingPlan&, int,
                                    const SearchControl&,
                                    absl::Span<AnnealingChain>, int64_t) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust::internal
