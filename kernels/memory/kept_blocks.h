// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KeptBlocks: large pieces of GPU memory beside the pool of device_memory.cu,
// by cudaMalloc, which takes a tenth of the time in which the pool grows. As
// the pool, it keeps what is freed: cudaFree waits for all work, and takes
// milliseconds. Internal to device_buffer. Thread-safe.

#ifndef WARPCLUST_KERNELS_MEMORY_KEPT_BLOCKS_H_
#define WARPCLUST_KERNELS_MEMORY_KEPT_BLOCKS_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <mutex>
#include <vector>

namespace warpclust::internal {

// Those of one GPU, the current one of the calling thread.
class KeptBlocks {
 public:
  // A block of at least `bytes`, maybe one that earlier work of the default
  // stream still uses: what comes on that stream comes later. If no kept one is
  // of about that size, those are freed, so that sizes do not pile up.
  cudaError_t Take(int64_t bytes, void** memory);
  // For others to take if it `keeps` the block, else to the driver.
  void GiveBack(void* memory, bool keeps);

  // Frees all that nobody has, which waits for all work on the GPU.
  cudaError_t Free();
  int64_t FreeBytes();

 private:
  struct Block {
    void* memory;
    int64_t bytes;
    bool is_taken;
  };
  // With the mutex.
  cudaError_t FreeIdle();

  std::mutex mutex_;
  std::vector<Block> blocks_;
};

}  // namespace warpclust::internal

#endif  // WARPCLUST_KERNELS_MEMORY_KEPT_BLOCKS_H_
