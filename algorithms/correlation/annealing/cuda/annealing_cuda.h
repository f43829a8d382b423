// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Annealing chains on the GPU (see annealing.h): a block a chain, the same
// moves as on the CPU. Memory on the device: the plan and 4 bytes a vertex and
// chain; with tables (see annealing_cpu.h) n^2 weights, and n (n + 1) more a
// chain.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_CUDA_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_CUDA_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/correlation/annealing/chains/annealing.h"
#include "algorithms/correlation/search/search_control.h"

namespace warpclust::internal {

absl::Status RunAnnealingChainsCuda(const AnnealingPlan& plan, int num_threads,
                                    const SearchControl& control,
                                    absl::Span<AnnealingChain> chains);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_ANNEALING_CUDA_ANNEALING_CUDA_H_
