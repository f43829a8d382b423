// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CopyProgress: which parts of a copy to the GPU are there, for
// copy_in_parts.cu. Threads tell it of chunks, and one waits for parts.

#ifndef WARPCLUST_KERNELS_MEMORY_COPY_PROGRESS_H_
#define WARPCLUST_KERNELS_MEMORY_COPY_PROGRESS_H_

#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "kernels/memory/staging_lanes.h"

namespace warpclust::internal {

class CopyProgress {
 public:
  // `ends`: of the parts, in bytes, ascending.
  explicit CopyProgress(const std::vector<int64_t>& ends);
  ~CopyProgress();

  // The chunk at `begin` is on its way by `lane`.
  cudaError_t Give(int64_t begin, const Lane& lane);
  // The copy has ended.
  void End(cudaError_t error);

  // Waits for a part, or the end. In order of the parts.
  cudaError_t Wait(int number);

 private:
  struct Part {
    int64_t end;
    int64_t chunks_left;
    // After the last chunk of each lane.
    cudaEvent_t given[kNumLanes] = {};
  };

  std::mutex mutex_;  // Guards all below.
  std::condition_variable changed_;
  std::vector<Part> parts_;
  bool ended_ = false;
  cudaError_t error_ = cudaSuccess;
};

}  // namespace warpclust::internal

#endif  // WARPCLUST_KERNELS_MEMORY_COPY_PROGRESS_H_
