// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/strings/str_cat.h"
#include "kernels/memory/gpu_array.h"

namespace warpclust {

absl::Status AwaitGpuArray(absl::string_view name, const void* /*array*/) {
  return absl::UnavailableError(
      absl::StrCat(name,
                   ": expected an array in host memory, found one of a "
                   "GPU; this build has no CUDA code: build with "
                   "--config=cuda"));
}

absl::Status CopyGpuArray(absl::string_view name, const void* array,
                          int64_t /*bytes*/, void* /*host*/) {
  return AwaitGpuArray(name, array);
}

}  // namespace warpclust
