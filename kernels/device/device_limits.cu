// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"

namespace warpclust {

absl::StatusOr<int> NumMultiprocessors() {
  int device = 0;
  int count = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), "current GPU"));
  RETURN_IF_ERROR(CudaStatus(
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
      "multiprocessors of the GPU"));
  return count;
}

namespace internal {
namespace {

struct Limits {
  int block_shared_bytes;  // of a block, static and dynamic
  bool warpgroups;
};

// "Technical Specifications per Compute Capability" of the CUDA programming
// guide.
struct Model {
  absl::string_view capability;
  Limits limits;
};
constexpr Model kModels[] = {
    {"8.0", {163 << 10, false}},  {"8.6", {99 << 10, false}},
    {"8.9", {99 << 10, false}},   {"9.0", {227 << 10, true}},
    {"10.0", {227 << 10, false}}, {"12.0", {99 << 10, false}},
};

absl::StatusOr<Limits> CurrentLimits() {
  int device = 0;
  int major = 0;
  Limits limits = {};
  RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), "current GPU"));
  RETURN_IF_ERROR(CudaStatus(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
      "compute capability of the GPU"));
  RETURN_IF_ERROR(CudaStatus(
      cudaDeviceGetAttribute(&limits.block_shared_bytes,
                             cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
      "shared memory of the GPU"));
  limits.warpgroups = major == 9;
  const char* const like = std::getenv("WARPCLUST_GPU_LIKE");
  if (like == nullptr || *like == '\0') return limits;
  for (const Model& model : kModels) {
    if (model.capability != like) continue;
    return Limits{
        std::min(limits.block_shared_bytes, model.limits.block_shared_bytes),
        limits.warpgroups && model.limits.warpgroups};
  }
  return absl::InvalidArgumentError(
      absl::StrCat("WARPCLUST_GPU_LIKE: expected 8.0, 8.6, 8.9, 9.0, 10.0 or "
                   "12.0, found \"",
                   absl::CHexEscape(like), "\""));
}

absl::StatusOr<cudaFuncAttributes> Attributes(const void* kernel) {
  cudaFuncAttributes attributes;
  RETURN_IF_ERROR(CudaStatus(cudaFuncGetAttributes(&attributes, kernel),
                             "code for the GPU"));
  return attributes;
}

}  // namespace

absl::StatusOr<int> MostSharedBytesOf(const void* kernel) {
  ASSIGN_OR_RETURN(const Limits limits, CurrentLimits());
  ASSIGN_OR_RETURN(const cudaFuncAttributes attributes, Attributes(kernel));
  return limits.block_shared_bytes -
         static_cast<int>(attributes.sharedSizeBytes);
}

absl::Status AllowSharedBytesOf(const void* kernel, int64_t bytes,
                                absl::string_view what) {
  ASSIGN_OR_RETURN(const int most, MostSharedBytesOf(kernel));
  if (bytes > most) {
    return absl::UnavailableError(
        absl::StrCat(what, ": expected a GPU whose blocks have ", bytes,
                     " bytes of shared memory, found ", most));
  }
  // Never less than before: another thread may have allowed more, and launch
  // later.
  static std::mutex& mutex = *new std::mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  ASSIGN_OR_RETURN(const cudaFuncAttributes attributes, Attributes(kernel));
  if (bytes <= attributes.maxDynamicSharedSizeBytes) return absl::OkStatus();
  return CudaStatus(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(bytes)),
      what);
}

absl::StatusOr<bool> HasWarpgroupsOf(const void* kernel) {
  ASSIGN_OR_RETURN(const Limits limits, CurrentLimits());
  ASSIGN_OR_RETURN(const cudaFuncAttributes attributes, Attributes(kernel));
  // Code for 9.0 is code for sm_90a: `hopper` of cuda_library.
  return limits.warpgroups && attributes.ptxVersion == 90;
}

}  // namespace internal
}  // namespace warpclust
