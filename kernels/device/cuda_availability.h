// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CudaAvailability: whether a GPU can run this build's CUDA code. The build
// picks one of two implementations, with --config=cuda or without. Users call
// ResolveDevice (device.h). The first call starts CUDA, which takes tenths of a
// second with a GPU; a good answer is remembered.

#ifndef WARPCLUST_KERNELS_DEVICE_CUDA_AVAILABILITY_H_
#define WARPCLUST_KERNELS_DEVICE_CUDA_AVAILABILITY_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpclust::internal {

// OK, or Unavailable with the reason. The GPU of the calling thread becomes
// number `local_rank` modulo those that are visible; -1: it stays what it is.
absl::Status CudaAvailability(int local_rank);

// How many GPUs are visible. Unavailable, with the reason, if CUDA does not
// run.
absl::StatusOr<int> CountGpus();

// Whether this is the implementation with CUDA code.
extern const bool kHasCudaCode;

}  // namespace warpclust::internal

#endif  // WARPCLUST_KERNELS_DEVICE_CUDA_AVAILABILITY_H_
