// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The allocation half of device_buffer.h; device_copy.cu is the other.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/most_gpus.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/kept_blocks.h"

namespace warpclust {
namespace {

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

struct Use {
  std::atomic<bool> pool_is_configured{false};
  std::atomic<int64_t> in_use_bytes{0};
  std::atomic<int64_t> peak_bytes{0};
  internal::KeptBlocks blocks;
};

std::atomic<int64_t> limit_bytes{kNoLimit};

// Of all GPUs; buffers may be destroyed at exit.
std::array<Use, kMostGpus>& Uses() {
  static auto& uses = *new std::array<Use, kMostGpus>;
  return uses;
}

Use& UseOf(int device) { return Uses()[std::min(device, kMostGpus - 1)]; }

int CurrentDevice() {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) cudaGetLastError();
  return device;
}

Use& CurrentUse() { return UseOf(CurrentDevice()); }

// The default pool of the current device, configured to keep freed memory.
absl::StatusOr<cudaMemPool_t> CurrentPool() {
  int device = 0;
  RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device), "find the GPU"));
  cudaMemPool_t pool = nullptr;
  RETURN_IF_ERROR(CudaStatus(cudaDeviceGetDefaultMemPool(&pool, device),
                             "find the memory pool of the GPU"));
  if (device < kMostGpus && UseOf(device).pool_is_configured.load()) {
    return pool;
  }
  uint64_t threshold = std::numeric_limits<uint64_t>::max();
  RETURN_IF_ERROR(
      CudaStatus(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                                         &threshold),
                 "configure the memory pool of the GPU"));
  UseOf(device).pool_is_configured.store(true);
  return pool;
}

// Adds to the use, unless that would break the limit.
bool Reserve(int64_t bytes, Use& use) {
  const int64_t limit = limit_bytes.load();
  int64_t before = use.in_use_bytes.load();
  do {
    if (bytes > limit - before) return false;
  } while (!use.in_use_bytes.compare_exchange_weak(before, before + bytes));
  int64_t peak = use.peak_bytes.load();
  while (peak < before + bytes &&
         !use.peak_bytes.compare_exchange_weak(peak, before + bytes)) {
  }
  return true;
}

// Waits for pending frees, and returns everything unused to the driver.
cudaError_t ReturnKept(cudaMemPool_t pool, Use& use) {
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) error = cudaMemPoolTrimTo(pool, 0);
  return error == cudaSuccess ? use.blocks.Free() : error;
}

absl::Status OutOfMemory(int64_t bytes) {
  std::string message = absl::StrCat("GPU memory: ", bytes, " bytes asked for");
  if (absl::StatusOr<int64_t> free = DeviceMemoryFreeBytes(); free.ok()) {
    absl::StrAppend(&message, ", ", *free, " free");
  }
  absl::StrAppend(&message, ", ", CurrentUse().in_use_bytes.load(),
                  " in use by this process");
  return absl::ResourceExhaustedError(message);
}

}  // namespace

namespace internal {

absl::StatusOr<void*> AllocateDeviceMemory(int64_t count, int64_t element_bytes,
                                           MemorySource source) {
  if (count < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("GPU memory: ", count, " elements asked for"));
  }
  void* memory = nullptr;
  if (count == 0) return memory;
  if (count > kNoLimit / element_bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("GPU memory: ", count, " elements of ", element_bytes,
                     " bytes asked for"));
  }
  const int64_t bytes = count * element_bytes;
  ASSIGN_OR_RETURN(cudaMemPool_t pool, CurrentPool());
  Use& use = CurrentUse();
  if (!Reserve(bytes, use)) return OutOfMemory(bytes);

  const size_t size = static_cast<size_t>(bytes);
  const auto allocate = [&] {
    return source == MemorySource::kPool
               ? cudaMallocAsync(&memory, size, nullptr)
               : use.blocks.Take(bytes, &memory);
  };
  cudaError_t error = allocate();
  if (error == cudaErrorMemoryAllocation) {
    // The memory that is kept may be fragmented.
    cudaGetLastError();
    error = ReturnKept(pool, use);
    if (error == cudaSuccess) error = allocate();
  }
  if (error == cudaSuccess) return memory;
  use.in_use_bytes.fetch_sub(bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return OutOfMemory(bytes);
  }
  return CudaStatus(error, "allocate GPU memory");
}

void FreeDeviceMemory(void* memory, int64_t bytes, MemorySource source) {
  if (memory == nullptr) return;
  const int device = CurrentDevice();
  Use& use = UseOf(device);
  if (source == MemorySource::kDriver) {
    // GPUs of high numbers share their use, but not memory.
    use.blocks.GiveBack(memory, /*keeps=*/device < kMostGpus - 1);
  } else if (cudaFreeAsync(memory, nullptr) != cudaSuccess) {
    // An earlier error broke the context, or the driver has gone at process
    // exit: there is nothing left to free.
    cudaGetLastError();
  }
  use.in_use_bytes.fetch_sub(bytes);
}

absl::Status FillDeviceMemory(void* memory, int64_t bytes, uint8_t value) {
  if (bytes == 0) return absl::OkStatus();
  return CudaStatus(
      cudaMemsetAsync(memory, value, static_cast<size_t>(bytes), nullptr),
      "fill GPU memory");
}

absl::Status CopyWithinDevice(const void* from, void* to, int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  return CudaStatus(cudaMemcpyAsync(to, from, static_cast<size_t>(bytes),
                                    cudaMemcpyDeviceToDevice, nullptr),
                    "copy within GPU memory");
}

}  // namespace internal

absl::Status ReturnDeviceMemory() {
  ASSIGN_OR_RETURN(cudaMemPool_t pool, CurrentPool());
  return CudaStatus(ReturnKept(pool, CurrentUse()), "return GPU memory");
}

int64_t DeviceMemoryInUseBytes() { return CurrentUse().in_use_bytes.load(); }

int64_t DeviceMemoryPeakBytes() {
  int64_t peak = 0;
  for (const Use& use : Uses()) peak = std::max(peak, use.peak_bytes.load());
  return peak;
}

void ResetDeviceMemoryPeak() {
  for (Use& use : Uses()) use.peak_bytes.store(use.in_use_bytes.load());
}

absl::StatusOr<int64_t> DeviceMemoryFreeBytes() {
  ASSIGN_OR_RETURN(cudaMemPool_t pool, CurrentPool());
  size_t free = 0;
  size_t total = 0;
  uint64_t reserved = 0;
  uint64_t used = 0;
  constexpr absl::string_view kWhat = "find free GPU memory";
  RETURN_IF_ERROR(CudaStatus(cudaMemGetInfo(&free, &total), kWhat));
  RETURN_IF_ERROR(
      CudaStatus(cudaMemPoolGetAttribute(
                     pool, cudaMemPoolAttrReservedMemCurrent, &reserved),
                 kWhat));
  RETURN_IF_ERROR(CudaStatus(
      cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used),
      kWhat));
  Use& use = CurrentUse();
  const int64_t kept =
      (reserved > used ? static_cast<int64_t>(reserved - used) : 0) +
      use.blocks.FreeBytes();
  const int64_t within_limit =
      std::max<int64_t>(0, limit_bytes.load() - use.in_use_bytes.load());
  return std::min(static_cast<int64_t>(free) + kept, within_limit);
}

void SetDeviceMemoryLimit(int64_t bytes) {
  limit_bytes.store(bytes < 0 ? kNoLimit : bytes);
}

absl::Status NameWhatDidNotFit(absl::Status status, absl::string_view what) {
  constexpr absl::string_view kDoesNotFit = " does not fit: ";
  if (!absl::IsResourceExhausted(status) ||
      absl::StrContains(status.message(), kDoesNotFit)) {
    return status;
  }
  return absl::ResourceExhaustedError(
      absl::StrCat(what, kDoesNotFit, status.message()));
}

}  // namespace warpclust
