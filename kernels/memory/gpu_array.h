// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Arrays that other code, such as PyTorch, keeps in the memory of the GPU. In
// every build; without CUDA code these functions return Unavailable.

#ifndef WARPCLUST_KERNELS_MEMORY_GPU_ARRAY_H_
#define WARPCLUST_KERNELS_MEMORY_GPU_ARRAY_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace warpclust {

// OK if `array` points to memory of the current GPU. Waits until the GPU is
// idle, so it does not matter on which stream the array was written. Errors
// begin with `name`: InvalidArgument for other memory, Unavailable without a
// GPU. Whether the array is as long as the caller thinks is not known.
absl::Status AwaitGpuArray(absl::string_view name, const void* array);

// Copies `bytes` bytes of such an array to the host. The same errors.
absl::Status CopyGpuArray(absl::string_view name, const void* array,
                          int64_t bytes, void* host);

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_MEMORY_GPU_ARRAY_H_
