// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What the current GPU offers beyond what every supported one has. Kernels run
// on all GPUs of compute capability 8.0 and later; those that are faster with
// more shared memory or with newer instructions ask here, at run time.
//
//   ASSIGN_OR_RETURN(const int most, MostSharedBytes(Kernel));
//   const int bytes = ...;  // at most `most`
//   RETURN_IF_ERROR(AllowSharedBytes(Kernel, bytes, "dense join"));
//   Kernel<<<blocks, threads, bytes>>>(...);
//
// For tests, the environment variable WARPCLUST_GPU_LIKE is the compute
// capability of another GPU, such as 8.6: the answers are then the least of
// both, so one GPU runs the code paths for others.

#ifndef WARPCLUST_KERNELS_DEVICE_DEVICE_LIMITS_H_
#define WARPCLUST_KERNELS_DEVICE_DEVICE_LIMITS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace warpclust {

namespace internal {
absl::StatusOr<int> MostSharedBytesOf(const void* kernel);
absl::Status AllowSharedBytesOf(const void* kernel, int64_t bytes,
                                absl::string_view what);
absl::StatusOr<bool> HasWarpgroupsOf(const void* kernel);
}  // namespace internal

// The multiprocessors of the GPU, each of which runs at least one block at a
// time.
absl::StatusOr<int> NumMultiprocessors();

// The most dynamic shared memory, in bytes, with which a block of `kernel` can
// be launched. Unavailable if the GPU cannot run this build's code;
// InvalidArgument for a WARPCLUST_GPU_LIKE that is not known.
template <typename... Arguments>
absl::StatusOr<int> MostSharedBytes(void (*kernel)(Arguments...)) {
  return internal::MostSharedBytesOf(reinterpret_cast<const void*>(kernel));
}

// Lets launches of `kernel` have up to `bytes` of dynamic shared memory.
// Unavailable if that is more than MostSharedBytes; `what` begins the message.
template <typename... Arguments>
absl::Status AllowSharedBytes(void (*kernel)(Arguments...), int64_t bytes,
                              absl::string_view what) {
  return internal::AllowSharedBytesOf(reinterpret_cast<const void*>(kernel),
                                      bytes, what);
}

// Whether the GPU and this build's code for it have the instructions of
// warpgroup.cuh.
template <typename... Arguments>
absl::StatusOr<bool> HasWarpgroups(void (*kernel)(Arguments...)) {
  return internal::HasWarpgroupsOf(reinterpret_cast<const void*>(kernel));
}

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_DEVICE_DEVICE_LIMITS_H_
