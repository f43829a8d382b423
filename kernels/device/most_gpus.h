// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// kMostGpus: the number of GPUs for which a process counts memory, sets up a
// memory pool and pins memory for copies. Others work, but copy more slowly.

#ifndef WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_
#define WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_

namespace warpclust {

inline constexpr int kMostGpus = 64;

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_
