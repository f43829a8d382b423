// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaStatus: a CUDA runtime error as an absl::Status. Every CUDA call of this
// library goes through it; no call's result is dropped.
//
//   if (absl::Status s = CudaStatus(cudaMemsetAsync(p, 0, n, stream),
//                                   "clear degrees");
//       !s.ok()) {
//     return s;
//   }
//   CountDegrees<<<blocks, threads, 0, stream>>>(...);
//   return CudaLaunchStatus("count degrees");
//
// Codes: out of memory is ResourceExhausted; no device, no driver, or a device
// this build has no code for is Unavailable; the rest is Internal. Thread-safe.

#ifndef WARPCLUST_KERNELS_CUDA_STATUS_H_
#define WARPCLUST_KERNELS_CUDA_STATUS_H_

#include <cuda_runtime_api.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace warpclust {

namespace internal {
// The slow path: `error` is not cudaSuccess.
absl::Status CudaErrorStatus(cudaError_t error, absl::string_view what);
}  // namespace internal

// OK, or an error whose message is "`what`: name of the error: description".
// The thread's last error is cleared, so that the next check does not report
// it again (errors that break the context stay; CUDA returns them for ever).
inline absl::Status CudaStatus(cudaError_t error, absl::string_view what) {
  if (error == cudaSuccess) return absl::OkStatus();
  return internal::CudaErrorStatus(error, what);
}

// Whether the kernel launches since the last check were accepted. Does not
// wait: an error inside a kernel shows at the next synchronization.
inline absl::Status CudaLaunchStatus(absl::string_view what) {
  return CudaStatus(cudaGetLastError(), what);
}

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_CUDA_STATUS_H_
