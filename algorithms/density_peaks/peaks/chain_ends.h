// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindChainEnds: where the chain of dependent points of each point ends, by all
// threads.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CHAIN_ENDS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CHAIN_ENDS_H_

#include <cstdint>

#include "absl/types/span.h"

namespace warpclust::internal {

// On entry next[i] is the point after i, or i itself where a chain ends; chains
// have no other circles. Replaces each by the end of its chain. Each thread
// shortens the chains that it follows, for all: about two steps per point.
void FindChainEnds(int num_threads, absl::Span<int32_t> next);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CHAIN_ENDS_H_
