// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups of threads that work on a document together: a block has several.

#ifndef WARPCLUST_ALGORITHMS_ONLINE_BATCH_GROUP_CUH_
#define WARPCLUST_ALGORITHMS_ONLINE_BATCH_GROUP_CUH_

#include <cuda_runtime.h>

#include "algorithms/online/online_options.h"

namespace warpclust {

inline constexpr int kBatchThreads = 1024;
inline constexpr int kBatchWarps = kBatchThreads / 32;
inline constexpr int kGroupThreads = 128;
inline constexpr int kGroups = kBatchThreads / kGroupThreads;
static_assert(kGroupThreads >= OnlineOptions::kMaxTerms);

// All kGroupThreads threads of a group; `barrier` is its number, not 0.
__device__ inline void GroupBarrier(int barrier) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(kGroupThreads)
               : "memory");
}

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_ONLINE_BATCH_GROUP_CUH_
