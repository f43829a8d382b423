// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/online/online_cuda.h"

namespace warpclust {

namespace {

absl::Status BuiltWithoutCuda() {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace

absl::StatusOr<std::unique_ptr<OnlineEngine>> MakeOnlineEngineCuda(
    OnlineMethod, const OnlineOptions&, const OnlineState&,
    const OnlineMethodOptions&) {
  return BuiltWithoutCuda();
}

absl::StatusOr<std::unique_ptr<DenseOnlineEngine>> MakeDenseOnlineEngineCuda(
    const OnlineOptions&, const OnlineState&, const OnlineMethodOptions&) {
  return BuiltWithoutCuda();
}

}  // namespace warpclust
