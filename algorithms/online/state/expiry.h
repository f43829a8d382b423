// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Expiry: when a cluster is closed because no document came for a while.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_STATE_EXPIRY_H_
#define WARPCLUST_ALGORITHMS_ONLINE_STATE_EXPIRY_H_

#include <cstdint>

#include "algorithms/online/state/online_state.h"
#include "base/machine/cuda_host_device.h"

namespace warpclust {

// Whether a cluster whose last document came at `last_time` is closed at
// `clock` (see OnlineOptions::expire_after, 0 is never). Times are within
// +-2^60, or kNoTime: a cluster from before the first time stays open.
WARPCLUST_HOST_DEVICE inline bool IsExpired(int64_t last_time, int64_t clock,
                                            int64_t expire_after) {
  return expire_after != 0 && last_time != OnlineState::kNoTime &&
         clock - last_time > expire_after;
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_STATE_EXPIRY_H_
