// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/nccl/lent_memory.h"

namespace warpclust {
namespace {

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(LentMemory::handle));

HostMark MarkOfHost() {
  HostMark mark = {};
  std::string boot;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::getline(file, boot);
  std::array<char, 64> space = {};
  if (boot.empty() ||
      readlink("/proc/self/ns/pid", space.data(), space.size() - 1) <= 0) {
    return mark;
  }
  const std::string text = boot + space.data();
  text.copy(mark.data(), mark.size());
  return mark;
}

// Lets the current GPU read memory of another one of this process.
absl::Status ReachGpuOf(const void* memory) {
  constexpr absl::string_view kWhat = "reach another GPU";
  int current = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&current), kWhat));
  cudaPointerAttributes attributes;
  RETURN_IF_ERROR(
      CudaStatus(cudaPointerGetAttributes(&attributes, memory), kWhat));
  if (attributes.device == current) return absl::OkStatus();
  const cudaError_t error = cudaDeviceEnablePeerAccess(attributes.device, 0);
  if (error != cudaErrorPeerAccessAlreadyEnabled) {
    return CudaStatus(error, kWhat);
  }
  cudaGetLastError();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LentMemory> LendMemory(const void* memory, int64_t bytes) {
  LentMemory lent;
  lent.host = MarkOfHost();
  if (lent.host == HostMark()) {
    return absl::UnavailableError("memory of a GPU: the host has no name");
  }
  cudaIpcMemHandle_t handle;
  RETURN_IF_ERROR(
      CudaStatus(cudaIpcGetMemHandle(&handle, const_cast<void*>(memory)),
                 "lend memory of the GPU"));
  std::memcpy(lent.handle.data(), &handle, sizeof(handle));
  lent.process = getpid();
  lent.address = reinterpret_cast<uintptr_t>(memory);
  lent.bytes = bytes;
  return lent;
}

absl::StatusOr<const void*> OpenLent(const LentMemory& lent) {
  if (lent.host != MarkOfHost()) {
    return absl::UnavailableError("memory of a GPU of another host");
  }
  if (lent.process == getpid()) {
    const auto* const here = reinterpret_cast<const void*>(lent.address);
    RETURN_IF_ERROR(ReachGpuOf(here));
    return here;
  }
  cudaIpcMemHandle_t handle;
  std::memcpy(&handle, lent.handle.data(), sizeof(handle));
  void* here = nullptr;
  RETURN_IF_ERROR(CudaStatus(
      cudaIpcOpenMemHandle(&here, handle, cudaIpcMemLazyEnablePeerAccess),
      "open GPU memory of another process"));
  return here;
}

}  // namespace warpclust
