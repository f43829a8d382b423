// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunAnnealingChains: runs the chains of annealing.h on the device asked for.
// Every device makes the same moves.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_RUN_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_RUN_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/chains/annealing.h"
#include "algorithms/correlation/search/search_control.h"
#include "kernels/device.h"

namespace warpclust {

// Runs all chains, side by side as far as the device or the threads allow. A
// chain stopped by `control` keeps its present partition. `device` is kCpu or
// kCuda. Unavailable if the device is; ResourceExhausted if device memory does
// not suffice.
absl::Status RunAnnealingChains(const AnnealingPlan& plan, Device device,
                                int num_threads, const SearchControl& control,
                                absl::Span<AnnealingChain> chains);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_RUN_H_
