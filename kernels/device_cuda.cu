// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <atomic>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/cuda_availability.h"
#include "kernels/cuda_status.h"

namespace warpclust::internal {
namespace {

// Never launched: asked whether the GPU has code for it.
__global__ void Probe() {}

absl::Status Ask() {
  int devices = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDeviceCount(&devices), "look for a GPU"));
  if (devices == 0) return absl::UnavailableError("look for a GPU: none found");
  cudaFuncAttributes attributes;
  return CudaStatus(cudaFuncGetAttributes(&attributes, Probe),
                    "look for a usable GPU");
}

}  // namespace

const bool kHasCudaCode = true;

absl::Status CudaAvailability() {
  static std::atomic<bool> available{false};
  if (available.load()) return absl::OkStatus();
  const absl::Status status = Ask();
  if (status.ok()) {
    available.store(true);
    return status;
  }
  return absl::UnavailableError(
      absl::StrCat("no usable GPU: ", status.message()));
}

}  // namespace warpclust::internal
