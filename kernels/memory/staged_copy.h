// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// StagedCopy: a copy between pageable memory of the host and a GPU through the
// pinned memory of lanes (staging_lanes.h).
//
// The driver copies pageable host memory through one pinned buffer with one
// thread, at a fraction of the bus's bandwidth. Here each of a few threads owns
// two pinned chunks and a stream: while the bus moves one chunk, the thread
// copies the other.

#ifndef WARPCLUST_KERNELS_MEMORY_STAGED_COPY_H_
#define WARPCLUST_KERNELS_MEMORY_STAGED_COPY_H_

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/memory/copy_progress.h"
#include "kernels/memory/staging_lanes.h"

namespace warpclust::internal {

// Fewer bytes go by cudaMemcpy.
inline constexpr int64_t kStagedBytes = int64_t{16} << 20;

// One staged copy: the threads draw chunk numbers from `next`.
struct StagedCopy {
  // `host` is only read when to_device is set.
  static StagedCopy ToDevice(const void* host, void* device, int64_t bytes,
                             CopyProgress* progress = nullptr) {
    return {const_cast<unsigned char*>(static_cast<const unsigned char*>(host)),
            static_cast<unsigned char*>(device), bytes, /*to_device=*/true,
            progress};
  }
  // `device` is only read when to_device is not set.
  static StagedCopy ToHost(const void* device, void* host, int64_t bytes) {
    return {
        static_cast<unsigned char*>(host),
        const_cast<unsigned char*>(static_cast<const unsigned char*>(device)),
        bytes, /*to_device=*/false, /*progress=*/nullptr};
  }

  unsigned char* host;
  unsigned char* device;
  int64_t bytes;
  bool to_device;
  CopyProgress* progress;  // May be null.
  std::atomic<int64_t> next{0};

  int64_t Begin(int64_t chunk) const { return chunk * kChunkBytes; }
  size_t Size(int64_t chunk) const {
    return static_cast<size_t>(std::min(kChunkBytes, bytes - Begin(chunk)));
  }
  int64_t Chunks() const { return (bytes + kChunkBytes - 1) / kChunkBytes; }

  // On a thread that holds the lane.
  cudaError_t Run(Lane& lane);
  cudaError_t RunUnstaged() const;

  cudaError_t RunToDevice(Lane& lane);
  cudaError_t RunToHost(Lane& lane);
};

// By several threads. With `in_order`, after all work before it.
cudaError_t CopyByThreads(StagedCopy& copy, bool in_order);

// By this thread, on a lane that is free. If none is, it waits for one of them
// in turn.
cudaError_t CopyByThisThread(StagedCopy& copy);

}  // namespace warpclust::internal

#endif  // WARPCLUST_KERNELS_MEMORY_STAGED_COPY_H_
