// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/memory/staged_copy.h"

namespace warpclust::internal {
namespace {

// Fewer do not wait for a copy that uses the lanes.
constexpr int64_t kBytesToWaitFor = int64_t{64} << 20;
// Bytes per thread: for fewer, starting it does not pay.
constexpr int64_t kBytesPerWorker = int64_t{8} << 20;

// Waits for all earlier work on the default stream and every Stream, which an
// event on the default stream comes after. Not cudaDeviceSynchronize: it also
// waits for copies beside that work, and calls of other threads wait for it.
cudaError_t WaitForWork() {
  cudaEvent_t last = nullptr;
  cudaError_t error = cudaEventCreateWithFlags(&last, cudaEventDisableTiming);
  if (error != cudaSuccess) return error;
  error = cudaEventRecord(last, nullptr);
  if (error == cudaSuccess) error = cudaEventSynchronize(last);
  const cudaError_t destroyed = cudaEventDestroy(last);
  return error != cudaSuccess ? error : destroyed;
}

}  // namespace

cudaError_t StagedCopy::Run(Lane& lane) {
  const cudaError_t error = to_device ? RunToDevice(lane) : RunToHost(lane);
  if (error != cudaSuccess) next.store(Chunks());  // The others stop too.
  // Also after an error: the chunks must be idle when they are used again.
  const cudaError_t last = cudaStreamSynchronize(lane.stream);
  return error != cudaSuccess ? error : last;
}

cudaError_t StagedCopy::RunUnstaged() const {
  const auto size = static_cast<size_t>(bytes);
  if (!to_device) {
    return cudaMemcpy(host, device, size, cudaMemcpyDeviceToHost);
  }
  const cudaError_t error =
      cudaMemcpy(device, host, size, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return error;
  // From pageable memory it returns once the driver has read it all. Streams
  // beside the default stream would see memory that is not written yet.
  return cudaStreamSynchronize(nullptr);
}

cudaError_t StagedCopy::RunToDevice(Lane& lane) {
  const int64_t chunks = Chunks();
  for (int turn = 0;; turn ^= 1) {
    const int64_t c = next.fetch_add(1);
    if (c >= chunks) return cudaSuccess;
    // Waits for the chunk's earlier use, if any.
    cudaError_t error = cudaEventSynchronize(lane.moved[turn]);
    if (error != cudaSuccess) return error;
    std::memcpy(lane.chunk[turn], host + Begin(c), Size(c));
    error = cudaMemcpyAsync(device + Begin(c), lane.chunk[turn], Size(c),
                            cudaMemcpyHostToDevice, lane.stream);
    if (error == cudaSuccess) {
      error = cudaEventRecord(lane.moved[turn], lane.stream);
    }
    if (error == cudaSuccess && progress != nullptr) {
      error = progress->Give(Begin(c), lane);
    }
    if (error != cudaSuccess) return error;
  }
}

cudaError_t StagedCopy::RunToHost(Lane& lane) {
  const int64_t chunks = Chunks();
  int64_t pending = -1;  // On its way into the other chunk.
  for (int turn = 0;; turn ^= 1) {
    const int64_t c = next.fetch_add(1);
    if (c < chunks) {
      cudaError_t error =
          cudaMemcpyAsync(lane.chunk[turn], device + Begin(c), Size(c),
                          cudaMemcpyDeviceToHost, lane.stream);
      if (error == cudaSuccess) {
        error = cudaEventRecord(lane.moved[turn], lane.stream);
      }
      if (error != cudaSuccess) return error;
    }
    if (pending >= 0) {
      const cudaError_t error = cudaEventSynchronize(lane.moved[turn ^ 1]);
      if (error != cudaSuccess) return error;
      std::memcpy(host + Begin(pending), lane.chunk[turn ^ 1], Size(pending));
    }
    if (c >= chunks) return cudaSuccess;
    pending = c;
  }
}

cudaError_t CopyByThreads(StagedCopy& copy, bool in_order) {
  // The lanes' streams do not wait for other work by themselves.
  cudaError_t error = in_order ? WaitForWork() : cudaSuccess;
  if (error != cudaSuccess) return error;
  int device = 0;
  error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  Lanes* const lanes = Lanes::OfCurrentGpu();
  if (lanes == nullptr) return copy.RunUnstaged();
  std::unique_lock<std::mutex> lock(lanes->mutex, std::try_to_lock);
  if (!lock.owns_lock()) {
    // Another copy may take far longer than the driver takes for this one.
    if (in_order && copy.bytes < kBytesToWaitFor) return copy.RunUnstaged();
    lock.lock();
  }

  const int workers = static_cast<int>(std::min<int64_t>(
      {kNumLanes, std::max(1u, std::thread::hardware_concurrency()),
       copy.bytes / kBytesPerWorker + 1}));
  cudaError_t errors[kNumLanes] = {};
  std::vector<std::thread> threads;
  const auto run = [&copy, lanes](int w) {
    Lane& lane = lanes->lane[w];
    const std::lock_guard<std::mutex> lock(lane.mutex);
    return copy.Run(lane);
  };
  for (int w = 1; w < workers; ++w) {
    try {
      threads.emplace_back([&run, &errors, device, w] {
        errors[w] = cudaSetDevice(device);
        if (errors[w] == cudaSuccess) errors[w] = run(w);
      });
    } catch (const std::exception&) {
      // No more threads: those that started do the work.
      break;
    }
  }
  errors[0] = run(0);
  for (std::thread& thread : threads) thread.join();
  for (cudaError_t e : errors) {
    if (e != cudaSuccess) return e;
  }
  return cudaSuccess;
}

cudaError_t CopyByThisThread(StagedCopy& copy) {
  Lanes* const lanes = Lanes::OfCurrentGpu();
  if (lanes == nullptr) return copy.RunUnstaged();
  Lane* lane =
      std::find_if(std::begin(lanes->lane), std::end(lanes->lane),
                   [](Lane& candidate) { return candidate.mutex.try_lock(); });
  if (lane == std::end(lanes->lane)) {
    lane = &lanes->lane[lanes->turn.fetch_add(1) % kNumLanes];
    lane->mutex.lock();
  }
  const std::lock_guard<std::mutex> lock(lane->mutex, std::adopt_lock);
  return copy.Run(*lane);
}

}  // namespace warpclust::internal
