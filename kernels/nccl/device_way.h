// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceWay: how data of a GPU gets to the GPU of another rank
// (device_exchange.h). Names no CUDA code, so any header may include it.

#ifndef WARPCLUST_KERNELS_NCCL_DEVICE_WAY_H_
#define WARPCLUST_KERNELS_NCCL_DEVICE_WAY_H_

namespace warpclust {

// If a way is not possible, data goes through the hosts.
enum class DeviceWay {
  kAuto,   // The first of the following that is possible.
  kPeers,  // Ranks of one host read each other's GPU memory.
  kNccl,
  kHost,
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_DEVICE_WAY_H_
