// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/online/online_cuda.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngineCuda(
    OnlineMethod, const OnlineOptions&, const OnlineState&,
    const OnlineMethodOptions&) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
