// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "graph/cosine/distributed/cuda/device_pieces.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<DevicePieces>> MakeDevicePieces(Communicator&) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
