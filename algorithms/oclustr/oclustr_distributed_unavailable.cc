// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// In builds without CUDA no rows are on GPUs.

#include <optional>

#include "absl/status/status.h"
#include "algorithms/oclustr/oclustr_rank_stages.h"
#include "kernels/device/device.h"

namespace warpclust::internal {

absl::StatusOr<std::optional<OClustRResult>> OClustROnGpus(Communicator&,
                                                           const GraphShare&,
                                                           int) {
  return ResolveDevice(Device::kCuda).status();
}

absl::Status MoveToHost(GraphShare*) {
  return ResolveDevice(Device::kCuda).status();
}

}  // namespace warpclust::internal
