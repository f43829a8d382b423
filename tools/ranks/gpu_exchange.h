// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GpuExchangeAsAsked: how data goes between the GPUs of ranks, by
// WARPCLUST_GPU_EXCHANGE.

#ifndef WARPCLUST_TOOLS_RANKS_GPU_EXCHANGE_H_
#define WARPCLUST_TOOLS_RANKS_GPU_EXCHANGE_H_

#include "absl/status/statusor.h"
#include "kernels/nccl/device_way.h"
#include "tools/cli/cli.h"

namespace warpclust {

// The way that rank 0 has in its environment, on all ranks; kAuto if it has
// none. With --gpus that is kPeers, since NCCL between threads would wait for
// one that ended. A usage error on the ranks whose environment has another
// word, or nccl with --gpus.
absl::StatusOr<DeviceWay> GpuExchangeAsAsked(const ToolRun& run);

}  // namespace warpclust

#endif  // WARPCLUST_TOOLS_RANKS_GPU_EXCHANGE_H_
