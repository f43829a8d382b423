// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/pair_keys_cuda.h"

namespace warpclust {
namespace {

absl::Status Unavailable() {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace

absl::StatusOr<std::shared_ptr<internal::PairKeys>> PairKeysCuda(
    std::shared_ptr<const DevicePoints>, const internal::PairsToCount&) {
  return Unavailable();
}

absl::StatusOr<std::shared_ptr<internal::PairKeys>> PairKeysCuda(
    const PointMatrix&, const internal::PairsToCount&, Norm) {
  return Unavailable();
}

}  // namespace warpclust
