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

}  // namespace

absl::StatusOr<DeviceLoan> DeviceLoan::Make(const void* data, int64_t bytes) {
  DeviceLoan loan;
  LentMemory& memory = loan.memory_;
  memory.host = MarkOfHost();
  if (memory.host == HostMark()) {
    return absl::UnavailableError("memory of a GPU: the host has no name");
  }
  // The pool of DeviceBuffer has no such handles.
  RETURN_IF_ERROR(
      CudaStatus(cudaMalloc(&loan.copy_, static_cast<size_t>(bytes)),
                 "lend memory of the GPU"));
  RETURN_IF_ERROR(CopyAndWait(data, loan.copy_, bytes));
  cudaIpcMemHandle_t handle;
  RETURN_IF_ERROR(CudaStatus(cudaIpcGetMemHandle(&handle, loan.copy_),
                             "lend memory of the GPU"));
  std::memcpy(memory.handle.data(), &handle, sizeof(handle));
  memory.process = getpid();
  memory.address = reinterpret_cast<uintptr_t>(loan.copy_);
  memory.bytes = bytes;
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
  if (!lent.is_lent() || lent.host != MarkOfHost()) {
    return absl::UnavailableError("memory of a GPU of another host");
  }
  if (lent.process == getpid()) {
    return CopyAndWait(reinterpret_cast<const void*>(lent.address), to,
                       lent.bytes);
  }
  cudaIpcMemHandle_t handle;
  std::memcpy(&handle, lent.handle.data(), sizeof(handle));
  void* from = nullptr;
  RETURN_IF_ERROR(CudaStatus(
      cudaIpcOpenMemHandle(&from, handle, cudaIpcMemLazyEnablePeerAccess),
      "borrow memory of a GPU"));
  const absl::Status status = CopyAndWait(from, to, lent.bytes);
  if (cudaIpcCloseMemHandle(from) != cudaSuccess) cudaGetLastError();
  return status;
}

}  // namespace warpclust
