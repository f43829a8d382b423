// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Annealing chains (annealing.h) on the GPU: one block per chain, the same
// moves as on the CPU. Device memory: the plan and 4 bytes per vertex and
// chain; with tables (annealing_cpu.h) n^2 weights, and n (n + 1) more per
// chain.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_CUDA_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_CUDA_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/chains/annealing.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust::internal {

// RunAnnealingChains (annealing_run.h) on the GPU; num_threads threads of the
// CPU number the clusters of the results. With little device memory fewer
// chains run side by side; ResourceExhausted if not one fits.
absl::Status RunAnnealingChainsCuda(const AnnealingPlan& plan, int num_threads,
                                    const SearchControl& control,
                                    absl::Span<AnnealingChain> chains);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_CUDA_H_
