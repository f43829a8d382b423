// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/device/cuda_availability.h"

namespace warpclust::internal {

const bool kHasCudaCode = false;

absl::Status CudaAvailability(int) {
  return absl::UnavailableError(
      "this build has no CUDA code: build with --config=cuda");
}

absl::StatusOr<int> CountGpus() { return CudaAvailability(0); }

}  // namespace warpclust::internal
