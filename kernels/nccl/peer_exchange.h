// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PeerExchange: DeviceExchange between ranks of one host that read each other's
// GPU memory: by CUDA IPC between processes, by pointers within one. Ranks may
// share a GPU. Each rank has a window of 64 MiB in the memory of its GPU, where
// others find what it sends; starting takes a millisecond.

#ifndef WARPCLUST_KERNELS_NCCL_PEER_EXCHANGE_H_
#define WARPCLUST_KERNELS_NCCL_PEER_EXCHANGE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "kernels/nccl/device_exchange.h"

namespace warpclust {

// As DeviceExchange::Create. Unavailable, on all ranks, if they are on several
// hosts or a GPU cannot reach the memory of another.
absl::StatusOr<std::unique_ptr<DeviceExchange>> MakePeerExchange(
    Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_PEER_EXCHANGE_H_
