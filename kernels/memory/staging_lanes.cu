// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include "base/machine/aligned_buffer.h"
#include "kernels/device/most_gpus.h"
#include "kernels/memory/staging_lanes.h"

namespace warpclust::internal {
namespace {

constexpr size_t kLaneBytes = 2 * static_cast<size_t>(kChunkBytes);
constexpr size_t kAllBytes = kNumLanes * kLaneBytes;

// Touches fresh memory, a thread per lane.
void Touch(unsigned char* memory) {
  std::vector<std::thread> threads;
  const auto touch = [memory](int lane) {
    std::memset(memory + lane * kLaneBytes, 0, kLaneBytes);
  };
  int lane = 1;
  try {
    for (; lane < kNumLanes; ++lane) threads.emplace_back(touch, lane);
  } catch (const std::exception&) {
    for (; lane < kNumLanes; ++lane) touch(lane);  // No more threads.
  }
  touch(0);
  for (std::thread& thread : threads) thread.join();
}

// kAllBytes. On the host of an H100, cudaMallocHost takes 0.7 s per GB, one
// thread after the other; touching memory, which threads do side by side, and
// registering it then, 0.5 s and 0.04 s. The driver registers for one thread at
// a time, and 0.2 ms each time, so all lanes are one piece.
cudaError_t AllocatePinned(unsigned char** pinned) {
  auto* const memory = static_cast<unsigned char*>(
      std::aligned_alloc(static_cast<size_t>(kChunkBytes), kAllBytes));
  if (memory != nullptr) {
    AdviseHugePages(memory, kAllBytes);
    Touch(memory);
    if (cudaHostRegister(memory, kAllBytes, cudaHostRegisterDefault) ==
        cudaSuccess) {
      *pinned = memory;
      return cudaSuccess;
    }
    cudaGetLastError();
    std::free(memory);
  }
  // Not every system lets memory be registered.
  return cudaMallocHost(reinterpret_cast<void**>(pinned), kAllBytes);
}

}  // namespace

cudaError_t Lanes::Make() {
  cudaError_t error =
      pinned_ == nullptr ? AllocatePinned(&pinned_) : cudaSuccess;
  unsigned char* chunk = pinned_;
  for (int number = 0; number < kNumLanes; ++number) {
    Lane& made = lane[number];
    made.number = number;
    if (error == cudaSuccess && made.stream == nullptr) {
      error = cudaStreamCreateWithFlags(&made.stream, cudaStreamNonBlocking);
    }
    for (int i = 0; error == cudaSuccess && i < 2; ++i) {
      made.chunk[i] = chunk;
      chunk += kChunkBytes;
      if (made.moved[i] != nullptr) continue;
      error = cudaEventCreateWithFlags(&made.moved[i], cudaEventDisableTiming);
    }
  }
  return error;
}

Lanes* Lanes::OfCurrentGpu() {
  static auto& of_gpus = *new std::array<Lanes, kMostGpus>;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) cudaGetLastError();
  if (device >= kMostGpus) return nullptr;
  Lanes& lanes = of_gpus[device];
  const std::lock_guard<std::mutex> lock(lanes.making_);
  if (!lanes.made_) {
    lanes.made_ = lanes.Make() == cudaSuccess;
    if (!lanes.made_) cudaGetLastError();
  }
  return lanes.made_ ? &lanes : nullptr;
}

}  // namespace warpclust::internal
