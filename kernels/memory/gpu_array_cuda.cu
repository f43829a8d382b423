// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/gpu_array.h"

namespace warpclust {

absl::Status AwaitGpuArray(absl::string_view name, const void* array) {
  int device = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), name));
  cudaPointerAttributes found;
  RETURN_IF_ERROR(CudaStatus(cudaPointerGetAttributes(&found, array), name));
  if (found.type != cudaMemoryTypeDevice &&
      found.type != cudaMemoryTypeManaged) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": expected an array in the memory of GPU ", device,
                     ", found a pointer to host memory"));
  }
  if (found.device != device) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": expected an array in the memory of GPU ", device,
                     ", found one in that of GPU ", found.device));
  }
  return CudaStatus(cudaDeviceSynchronize(), name);
}

absl::Status CopyGpuArray(absl::string_view name, const void* array,
                          int64_t bytes, void* host) {
  if (bytes == 0) return absl::OkStatus();
  RETURN_IF_ERROR(AwaitGpuArray(name, array));
  return internal::CopyDeviceToHost(array, host, bytes, 0, bytes, 1);
}

}  // namespace warpclust
