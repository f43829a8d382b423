// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The launch of kernels: the number of blocks and the mask of a warp. For .cu
// files.

#ifndef WARPCLUST_KERNELS_LAUNCH_CUH_
#define WARPCLUST_KERNELS_LAUNCH_CUH_

#include <algorithm>
#include <cstdint>

namespace warpclust {

// All threads of a warp: the mask for __shfl_sync, __ballot_sync and the like.
inline constexpr unsigned kFullWarp = 0xffffffffu;

// The number of blocks for `count` items, `per_block` in each: at least 1,
// since an empty grid is an error, and at most `most`, for kernels that stride
// over the grid.
inline unsigned BlocksFor(int64_t count, int64_t per_block,
                          int64_t most = INT32_MAX) {
  return static_cast<unsigned>(
      std::clamp<int64_t>((count + per_block - 1) / per_block, 1, most));
}

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_LAUNCH_CUH_
