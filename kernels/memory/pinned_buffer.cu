// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/memory/pinned_buffer.h"

namespace warpclust {
namespace internal {

absl::StatusOr<void*> AllocatePinnedMemory(int64_t count,
                                           int64_t element_bytes) {
  if (count < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("pinned memory: ", count, " elements asked for"));
  }
  void* memory = nullptr;
  if (count == 0) return memory;
  if (count > std::numeric_limits<int64_t>::max() / element_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("pinned memory: ", count, " elements asked for"));
  }
  RETURN_IF_ERROR(CudaStatus(
      cudaMallocHost(&memory, static_cast<size_t>(count * element_bytes)),
      absl::StrCat("pin ", count * element_bytes, " bytes of host memory")));
  return memory;
}

void FreePinnedMemory(void* memory) {
  if (memory != nullptr && cudaFreeHost(memory) != cudaSuccess) {
    cudaGetLastError();
  }
}

}  // namespace internal
}  // namespace warpclust
