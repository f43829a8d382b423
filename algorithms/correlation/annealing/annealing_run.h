// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RunAnnealingChains: the chains of annealing.h on the device asked for. Every
// device makes the same moves.
//
// Thread-safety: may be called concurrently with different chains.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_RUN_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_RUN_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/chains/annealing.h"
#include "algorithms/correlation/search/search_control.h"
#include "kernels/device.h"

namespace warpclust {

// Runs all chains, side by side where the device or the threads allow. A chain
// that control stops keeps the partition it has. `device` is kCpu or kCuda.
// Errors: Unavailable and ResourceExhausted as device and memory say.
absl::Status RunAnnealingChains(const AnnealingPlan& plan, Device device,
                                int num_threads, const SearchControl& control,
                                absl::Span<AnnealingChain> chains);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_ANNEALING_RUN_H_
