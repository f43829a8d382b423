// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// kMostGpus: of how many GPUs a process remembers what it has there: memory in
// use, pools, pinned memory for copies. GPUs of higher numbers work, with less.

#ifndef WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_
#define WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_

namespace warpclust {

inline constexpr int kMostGpus = 64;

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_MOST_GPUS_H_
