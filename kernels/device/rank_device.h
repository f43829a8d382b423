// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// UseDeviceOfRank: the GPU of a rank (base/communicator/communicator.h): its
// number among the ranks of the host, modulo the GPUs that are visible. So one
// process per GPU gets one each, and more ranks than GPUs share them.

#ifndef WARPCLUST_KERNELS_DEVICE_RANK_DEVICE_H_
#define WARPCLUST_KERNELS_DEVICE_RANK_DEVICE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"

namespace warpclust {

// Every algorithm on ranks calls it before ResolveDevice, on the thread that
// computes. A single rank keeps the current GPU.
inline void UseDeviceOfRank(const Communicator& ranks) {
  if (ranks.size() > 1) UseGpuOfLocalRank(ranks.local_rank());
}

// For another thread of a rank that has a GPU, which becomes the current one of
// the thread. Unavailable if it cannot be used.
inline absl::Status TakeDeviceOfRank(const Communicator& ranks) {
  UseDeviceOfRank(ranks);
  return ResolveDevice(Device::kCuda).status();
}

// As UseDeviceOfRank, for all threads of a process that is one rank.
inline void UseDeviceOfProcess(const Communicator& ranks) {
  if (ranks.size() > 1) UseGpuOfLocalRankByDefault(ranks.local_rank());
}

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_RANK_DEVICE_H_
