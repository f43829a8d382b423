// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/status/status_macros.h"
#include "kernels/cuda_status.h"
#include "kernels/device_loan.h"

namespace warpclust {
namespace {

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(LentMemory::handle));

// Copies on the default stream and waits.
absl::Status CopyAndWait(const void* from, void* to, int64_t bytes) {
  constexpr absl::string_view kWhat = "copy memory of a GPU";
  RETURN_IF_ERROR(
      CudaStatus(cudaMemcpyAsync(to, from, static_cast<size_t>(bytes),
                                 cudaMemcpyDefault, nullptr),
                 kWhat));
  return CudaStatus(cudaStreamSynchronize(nullptr), kWhat);
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
  if (!lent.is_lent() || lent.host != MarkOfHost()) {
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

void CloseLent(const void* opened) {
  if (cudaIpcCloseMemHandle(const_cast<void*>(opened)) != cudaSuccess) {
    cudaGetLastError();
  }
}

absl::StatusOr<DeviceLoan> DeviceLoan::Make(const void* data, int64_t bytes) {
  DeviceLoan loan;
  RETURN_IF_ERROR(
      CudaStatus(cudaMalloc(&loan.copy_, static_cast<size_t>(bytes)),
                 "lend memory of the GPU"));
  RETURN_IF_ERROR(CopyAndWait(data, loan.copy_, bytes));
  ASSIGN_OR_RETURN(loan.memory_, LendMemory(loan.copy_, bytes));
  return loan;
}

DeviceLoan::~DeviceLoan() {
  if (copy_ != nullptr && cudaFree(copy_) != cudaSuccess) cudaGetLastError();
}

DeviceLoan::DeviceLoan(DeviceLoan&& other) noexcept
    : copy_(std::exchange(other.copy_, nullptr)), memory_(other.memory_) {}

DeviceLoan& DeviceLoan::operator=(DeviceLoan&& other) noexcept {
  std::swap(copy_, other.copy_);
  std::swap(memory_, other.memory_);
  return *this;
}

absl::Status CopyLent(const LentMemory& lent, void* to) {
  ASSIGN_OR_RETURN(const void* const from, OpenLent(lent));
  const absl::Status status = CopyAndWait(from, to, lent.bytes);
  if (lent.process != getpid()) CloseLent(from);
  return status;
}

}  // namespace warpclust
