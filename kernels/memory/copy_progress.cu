// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>

#include "kernels/memory/copy_progress.h"

namespace warpclust::internal {

CopyProgress::CopyProgress(const std::vector<int64_t>& ends)
    : parts_(ends.size()) {
  for (size_t p = 0; p < ends.size(); ++p) parts_[p].end = ends[p];
  // A chunk belongs to the part in which it begins.
  int64_t chunks = 0;
  for (Part& part : parts_) {
    const int64_t begun = (part.end + kChunkBytes - 1) / kChunkBytes;
    part.chunks_left = begun - chunks;
    chunks = begun;
  }
}

CopyProgress::~CopyProgress() {
  for (Part& part : parts_) {
    for (const cudaEvent_t event : part.given) {
      if (event != nullptr && cudaEventDestroy(event) != cudaSuccess) {
        cudaGetLastError();
      }
    }
  }
}

cudaError_t CopyProgress::Give(int64_t begin, const Lane& lane) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Part& part = *std::upper_bound(
      parts_.begin(), parts_.end(), begin,
      [](int64_t at, const Part& other) { return at < other.end; });
  cudaEvent_t& event = part.given[lane.number];
  cudaError_t error = cudaSuccess;
  if (event == nullptr) {
    error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  if (error == cudaSuccess) error = cudaEventRecord(event, lane.stream);
  if (error == cudaSuccess && --part.chunks_left == 0) {
    changed_.notify_all();
  }
  return error;
}

void CopyProgress::End(cudaError_t error) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ended_ = true;
  error_ = error;
  changed_.notify_all();
}

cudaError_t CopyProgress::Wait(int number) {
  std::unique_lock<std::mutex> lock(mutex_);
  const Part& part = parts_[number];
  changed_.wait(lock, [&] { return part.chunks_left == 0 || ended_; });
  if (ended_) return error_;
  lock.unlock();
  for (const cudaEvent_t event : part.given) {
    if (event == nullptr) continue;
    const cudaError_t error = cudaEventSynchronize(event);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace warpclust::internal
