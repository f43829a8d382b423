// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PeerExchange: DeviceExchange between ranks of one host that read each other's
// GPU memory: by CUDA IPC between processes, by pointers within one. Ranks may
// share a GPU. Each rank has a window in the memory of its GPU, where others
// find what it sends, part by part.

#ifndef WARPCLUST_KERNELS_NCCL_PEER_EXCHANGE_H_
#define WARPCLUST_KERNELS_NCCL_PEER_EXCHANGE_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
#include "kernels/nccl/device_exchange.h"

namespace warpclust {

// As DeviceExchange::Create with opens_later; `window_bytes` as in its options.
// An error, on all ranks, if they are on several hosts, or a window does not
// fit.
absl::StatusOr<std::unique_ptr<DeviceExchange>> MakePeerExchange(
    Communicator& ranks, int64_t window_bytes);

// For tests: from now on, ranks r with bit r of `ranks` cannot open the memory
// of other GPUs.
void RefuseToOpenForTest(uint64_t ranks);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_PEER_EXCHANGE_H_
