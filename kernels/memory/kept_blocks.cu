// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/memory/kept_blocks.h"

namespace warpclust::internal {

cudaError_t KeptBlocks::Take(int64_t bytes, void** memory) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // The smallest that fits, unless much of it would be lost.
  Block* best = nullptr;
  for (Block& block : blocks_) {
    if (block.is_taken || block.bytes < bytes || block.bytes / 5 * 4 > bytes) {
      continue;
    }
    if (best == nullptr || block.bytes < best->bytes) best = &block;
  }
  if (best != nullptr) {
    best->is_taken = true;
    *memory = best->memory;
    return cudaSuccess;
  }
  // Those of another size have had their use.
  cudaError_t error = FreeIdle();
  if (error == cudaSuccess) {
    error = cudaMalloc(memory, static_cast<size_t>(bytes));
  }
  if (error == cudaSuccess) blocks_.push_back({*memory, bytes, true});
  return error;
}

void KeptBlocks::GiveBack(void* memory, bool keeps) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto block =
      std::find_if(blocks_.begin(), blocks_.end(),
                   [=](const Block& b) { return b.memory == memory; });
  if (block == blocks_.end()) return;  // CUDA has gone at process exit.
  block->is_taken = false;
  if (keeps) return;
  blocks_.erase(block);
  if (cudaFree(memory) != cudaSuccess) cudaGetLastError();
}

cudaError_t KeptBlocks::Free() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return FreeIdle();
}

cudaError_t KeptBlocks::FreeIdle() {
  std::vector<Block> taken;
  cudaError_t error = cudaSuccess;
  for (const Block& block : blocks_) {
    if (block.is_taken) {
      taken.push_back(block);
    } else if (const cudaError_t freed = cudaFree(block.memory);
               freed != cudaSuccess) {
      error = freed;
    }
  }
  blocks_.swap(taken);
  return error;
}

int64_t KeptBlocks::FreeBytes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  int64_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.is_taken ? 0 : block.bytes;
  return bytes;
}

}  // namespace warpclust::internal
