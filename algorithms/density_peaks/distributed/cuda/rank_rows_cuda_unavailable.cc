// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/cuda/rank_rows_cuda.h"

namespace warpclust {
namespace {

absl::Status Unavailable() {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace

absl::Status OwnersCuda(const DevicePoints&, absl::Span<const BisectionNode>,
                        int32_t, absl::Span<uint16_t>) {
  return Unavailable();
}

absl::StatusOr<std::vector<double>> BoxCuda(const DevicePoints&) {
  return Unavailable();
}

absl::StatusOr<std::vector<std::vector<int32_t>>> NearBoxesCuda(
    const DevicePoints&, absl::Span<const double>, const KeyLimits&) {
  return Unavailable();
}

absl::StatusOr<std::vector<double>> RowsCuda(const DevicePoints&,
                                             absl::Span<const int32_t>) {
  return Unavailable();
}

absl::Status CopyRowsCuda(const DevicePoints&, absl::Span<double>) {
  return Unavailable();
}

}  // namespace warpclust
