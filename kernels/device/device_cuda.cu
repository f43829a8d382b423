// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <atomic>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_availability.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/most_gpus.h"

namespace warpclust::internal {
namespace {

// Never launched: asked whether the GPU has code for it.
__global__ void Probe() {}

// Before anything that starts CUDA on a GPU, so that the processes of a job do
// not all take memory of the first one.
absl::Status TakeDevice(int local_rank) {
  int devices = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDeviceCount(&devices), "look for a GPU"));
  if (devices == 0) return absl::UnavailableError("look for a GPU: none found");
  if (local_rank < 0) return absl::OkStatus();
  return CudaStatus(cudaSetDevice(local_rank % devices),
                    "take the GPU of a rank");
}

absl::Status Ask() {
  cudaFuncAttributes attributes;
  return CudaStatus(cudaFuncGetAttributes(&attributes, Probe),
                    "look for a usable GPU");
}

// The first allocation on a GPU takes longest: tools make it here, while they
// read.
void StartMemoryPool() {
  static std::atomic<bool> started[kMostGpus];
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) cudaGetLastError();
  if (device >= kMostGpus || started[device].exchange(true)) return;
  void* memory = nullptr;
  if (cudaMallocAsync(&memory, 1, nullptr) != cudaSuccess ||
      cudaFreeAsync(memory, nullptr) != cudaSuccess) {
    cudaGetLastError();
  }
}

}  // namespace

const bool kHasCudaCode = true;

absl::Status CudaAvailability(int local_rank) {
  static std::atomic<bool> available{false};
  // What this thread has taken.
  static thread_local int taken = -1;
  const bool is_taken = local_rank < 0 || local_rank == taken;
  if (available.load() && is_taken) return absl::OkStatus();
  absl::Status status = TakeDevice(local_rank);
  if (status.ok()) status = Ask();
  if (status.ok()) {
    taken = local_rank;
    available.store(true);
    StartMemoryPool();
    return status;
  }
  return absl::UnavailableError(
      absl::StrCat("no usable GPU: ", status.message()));
}

absl::StatusOr<int> CountGpus() {
  int count = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDeviceCount(&count), "look for GPUs"));
  return count;
}

}  // namespace warpclust::internal
