// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/correlation/annealing/annealing_run.h"

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/chains/annealing.h"
#include "algorithms/correlation/annealing/chains/annealing_cpu.h"
#include "algorithms/correlation/annealing/cuda/annealing_cuda.h"

namespace warpclust {

absl::Status RunAnnealingChains(const AnnealingPlan& plan, Device device,
                                int num_threads, const SearchControl& control,
                                absl::Span<AnnealingChain> chains) {
  if (device == Device::kCuda) {
    return internal::RunAnnealingChainsCuda(plan, num_threads, control, chains);
  }
  internal::RunAnnealingChainsCpu(plan, internal::AnnealingEngine::kAuto,
                                  num_threads, control, chains);
  return absl::OkStatus();
}

}  // namespace warpclust
