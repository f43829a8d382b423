// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindChainEnds: where the chain of dependent points of each point ends, by all
// threads. PlacesOfEnds numbers the ends.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CHAIN_ENDS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CHAIN_ENDS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace warpclust::internal {

// On entry next[i] is the point after i, or i itself where a chain ends; chains
// have no other circles. Replaces each by the end of its chain. Each thread
// shortens the chains that it follows, for all: about two steps per point.
void FindChainEnds(int num_threads, absl::Span<int32_t> next);

// By point: the place in `ends` of the end of its chain. `next` is as above,
// and `ends` are the points where chains end, in any order.
std::vector<int32_t> PlacesOfEnds(std::vector<int32_t> next,
                                  absl::Span<const int32_t> ends,
                                  int num_threads);

}  // namespace warpclust::internal

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CHAIN_ENDS_H_
