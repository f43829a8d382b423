// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy to the GPU that is not ordered with other work: none may be pending on
// `device`, its allocation included. copy_in_parts.h has another.

#ifndef WARPCLUST_KERNELS_MEMORY_DEVICE_COPY_H_
#define WARPCLUST_KERNELS_MEMORY_DEVICE_COPY_H_

#include <cstdint>

#include "absl/status/status.h"

namespace warpclust::internal {

// Copies through pinned memory, by this thread alone, and waits for it. For
// threads that copy side by side.
absl::Status CopyHostToDeviceAlone(const void* host, void* device,
                                   int64_t bytes);

}  // namespace warpclust::internal

#endif  // WARPCLUST_KERNELS_MEMORY_DEVICE_COPY_H_
