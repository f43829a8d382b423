// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies to the GPU that are not ordered with other work: none may be
// pending on `device`, its allocation included.

#ifndef WARPCLUST_KERNELS_MEMORY_DEVICE_COPY_H_
#define WARPCLUST_KERNELS_MEMORY_DEVICE_COPY_H_

#include <cstdint>

#include "absl/status/status.h"

namespace warpclust::internal {

// Copies through pinned memory, by this thread alone, and waits for it. For
// threads that copy side by side.
absl::Status CopyHostToDeviceAlone(const void* host, void* device,
                                   int64_t bytes);

// The same by several threads: DeviceBuffer::CopyFromHost that does not wait
// for kernels.
absl::Status CopyHostToDeviceBeside(const void* host, void* device,
                                    int64_t bytes);

}  // namespace warpclust::internal

#endif  // WARPCLUST_KERNELS_MEMORY_DEVICE_COPY_H_
