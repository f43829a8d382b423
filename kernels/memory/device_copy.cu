// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The copying half of device_buffer.h.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/device_copy.h"
#include "kernels/memory/staged_copy.h"

namespace warpclust {
namespace {

constexpr char kCopyToGpu[] = "copy to the GPU";

absl::Status CheckRange(int64_t size, int64_t offset, int64_t count) {
  if (offset >= 0 && offset <= size && count <= size - offset) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("copy of ", count, " elements at offset ", offset,
                   " of a device buffer of ", size));
}

bool IsPinned(const void* host) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type != cudaMemoryTypeUnregistered;
}

}  // namespace

namespace internal {

absl::Status CopyHostToDevice(const void* host, void* device, int64_t size,
                              int64_t offset, int64_t count,
                              int64_t element_bytes) {
  RETURN_IF_ERROR(CheckRange(size, offset, count));
  if (count == 0) return absl::OkStatus();
  const int64_t bytes = count * element_bytes;
  unsigned char* to =
      static_cast<unsigned char*>(device) + offset * element_bytes;
  if (bytes < kStagedBytes || IsPinned(host)) {
    return CudaStatus(cudaMemcpy(to, host, static_cast<size_t>(bytes),
                                 cudaMemcpyHostToDevice),
                      kCopyToGpu);
  }
  StagedCopy copy = StagedCopy::ToDevice(host, to, bytes);
  return CudaStatus(CopyByThreads(copy, /*in_order=*/true), kCopyToGpu);
}

absl::Status CopyHostToDeviceAlone(const void* host, void* device,
                                   int64_t bytes) {
  StagedCopy copy = StagedCopy::ToDevice(host, device, bytes);
  return CudaStatus(CopyByThisThread(copy), kCopyToGpu);
}

absl::Status CopyDeviceToHost(const void* device, void* host, int64_t size,
                              int64_t offset, int64_t count,
                              int64_t element_bytes) {
  RETURN_IF_ERROR(CheckRange(size, offset, count));
  if (count == 0) return absl::OkStatus();
  const int64_t bytes = count * element_bytes;
  const unsigned char* from =
      static_cast<const unsigned char*>(device) + offset * element_bytes;
  if (bytes < kStagedBytes || IsPinned(host)) {
    // While cudaMemcpy waits for kernels, calls of other threads wait for it.
    RETURN_IF_ERROR(
        CudaStatus(cudaStreamSynchronize(nullptr), "copy from the GPU"));
    return CudaStatus(cudaMemcpy(host, from, static_cast<size_t>(bytes),
                                 cudaMemcpyDeviceToHost),
                      "copy from the GPU");
  }
  StagedCopy copy = StagedCopy::ToHost(from, host, bytes);
  return CudaStatus(CopyByThreads(copy, /*in_order=*/true),
                    "copy from the GPU");
}

}  // namespace internal
}  // namespace warpclust
