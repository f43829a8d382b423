// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// kMostGpus: a process keeps account of memory, pools and pinned memory for
// copies of so many GPUs. GPUs of higher numbers work, but copy more slowly.

#ifndef WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_
#define WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_

namespace warpclust {

inline constexpr int kMostGpus = 64;

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_
