// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the searches for the cheapest path (cheapest_path.h) of the CPU and the
// GPU have in common.

#ifndef WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_PATH_SEARCH_H_
#define WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_PATH_SEARCH_H_

#include <cstdint>
#include <cstring>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

// Prefers short paths, and keeps searches short where all prices are 0.
inline constexpr float kPairCost = 0.01F;
// What kPairCost may add to the price of a path.
inline constexpr float kMostPairCosts = 0.1F;
// (1 + kMostPairCosts) / kPairCost, and room for rounding.
inline constexpr int kMostPathPairs = 112;

// A state of one end of a path is 2 * vertex + (negative pairs on the way to
// it). States are settled by their keys: ascending by cost, at least 0, then by
// state.
WARPCLUST_HOST_DEVICE inline uint64_t PathKey(float cost, uint32_t state) {
  uint32_t bits;
  memcpy(&bits, &cost, sizeof(bits));
  return uint64_t{bits} << 32 | state;
}
WARPCLUST_HOST_DEVICE inline float PathCost(uint64_t key) {
  const auto bits = static_cast<uint32_t>(key >> 32);
  float cost;
  memcpy(&cost, &bits, sizeof(cost));
  return cost;
}
WARPCLUST_HOST_DEVICE inline uint32_t PathState(uint64_t key) {
  return static_cast<uint32_t>(key);
}

// The state of the other end that makes a path with `state`.
WARPCLUST_HOST_DEVICE inline uint32_t RestOfPath(uint32_t state,
                                                 uint32_t num_negative) {
  return state - 2 * (state & 1) + num_negative;
}

// The state before `state`, if its last pair is of u and v.
WARPCLUST_HOST_DEVICE inline uint32_t StateBefore(uint32_t state,
                                                  uint32_t u_xor_v,
                                                  uint32_t negative) {
  return 2 * (state / 2 ^ u_xor_v) + (state & 1) - negative;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_CORRELATION_BOUND_ENGINE_PATH_SEARCH_H_
