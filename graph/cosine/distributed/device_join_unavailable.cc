// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "graph/cosine/distributed/device_join.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<DeviceJoin>> MakeDeviceJoin(Communicator&,
                                                           DeviceWay, int64_t,
                                                           bool) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
