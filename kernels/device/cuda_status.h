// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaStatus: a CUDA runtime error as an absl::Status. Every CUDA call of this
// library goes through it; no result is dropped.
//
//   RETURN_IF_ERROR(CudaStatus(cudaMemsetAsync(p, 0, n, stream),
//                              "clear degrees"));
//   CountDegrees<<<blocks, threads, 0, stream>>>(...);
//   return CudaLaunchStatus("count degrees");
//
// Out of memory is ResourceExhausted. No device, no driver, or a device that
// this build has no code for is Unavailable. All other errors are Internal.

#ifndef WARPCLUST_KERNELS_DEVICE_CUDA_STATUS_H_
#define WARPCLUST_KERNELS_DEVICE_CUDA_STATUS_H_

#include <cuda_runtime_api.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace warpclust {

namespace internal {
// The slow path: `error` is not cudaSuccess.
absl::Status CudaErrorStatus(cudaError_t error, absl::string_view what);
}  // namespace internal

// OK, or an error with the message "`what`: name of the error: description".
// Clears the thread's last error, so that the next check does not report it
// again. Errors that break the context stay: CUDA returns them from then on.
inline absl::Status CudaStatus(cudaError_t error, absl::string_view what) {
  if (error == cudaSuccess) return absl::OkStatus();
  return internal::CudaErrorStatus(error, what);
}

// OK if the kernel launches since the last check were accepted. Does not wait:
// an error inside a kernel appears at the next synchronization.
inline absl::Status CudaLaunchStatus(absl::string_view what) {
  return CudaStatus(cudaGetLastError(), what);
}

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_CUDA_STATUS_H_
