// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Lanes: pinned memory through which threads copy between pageable memory of
// the host and a GPU, for staged_copy.cu.

#ifndef WARPCLUST_KERNELS_MEMORY_STAGING_LANES_H_
#define WARPCLUST_KERNELS_MEMORY_STAGING_LANES_H_

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace warpclust::internal {

inline constexpr int64_t kChunkBytes = int64_t{2} << 20;
inline constexpr int kNumLanes = 8;

// What one thread copies through.
struct Lane {
  std::mutex mutex;  // Held by the thread that copies.
  int number = 0;    // Among those of the GPU.
  // Not ordered with any other.
  cudaStream_t stream = nullptr;
  // kChunkBytes each.
  unsigned char* chunk[2] = {nullptr, nullptr};
  // The last use of each chunk.
  cudaEvent_t moved[2] = {nullptr, nullptr};
};

// Those of a GPU. Kept for the life of the process: pinning memory costs more
// than copying it, and at exit CUDA may be gone before we are.
class Lanes {
 public:
  // Of the current GPU; null for GPUs of high numbers, and while no memory can
  // be pinned. The first call makes them.
  static Lanes* OfCurrentGpu();

  Lane lane[kNumLanes];
  // One copy by several threads at a time: the bus is shared anyway.
  std::mutex mutex;
  std::atomic<unsigned> turn{0};

 private:
  // What is missing.
  cudaError_t Make();

  std::mutex making_;  // Guards all below.
  unsigned char* pinned_ = nullptr;
  bool made_ = false;
};

}  // namespace warpclust::internal

#endif  // WARPCLUST_KERNELS_MEMORY_STAGING_LANES_H_
