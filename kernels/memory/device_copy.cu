// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

// The copying half of device_buffer.h.
//
// The driver copies pageable host memory through one pinned buffer with one
// thread, at a fraction of the bus's bandwidth. Here each of a few threads owns
// two pinned chunks and a stream: while the bus moves one chunk, the thread
// copies the other.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/machine/aligned_buffer.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/most_gpus.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/device_copy.h"

namespace warpclust {
namespace {

constexpr int64_t kStagedBytes = int64_t{16} << 20;  // Smaller: cudaMemcpy.
constexpr int64_t kChunkBytes = int64_t{2} << 20;
// Fewer do not wait for a copy that uses the lanes.
constexpr int64_t kBytesToWaitFor = int64_t{64} << 20;
constexpr int kMostWorkers = 8;
// Bytes per thread: for fewer, starting it and preparing a lane does not pay.
constexpr int64_t kBytesPerWorker = int64_t{8} << 20;

// kChunkBytes of pinned memory. On the host of an H100, cudaMallocHost takes
// 0.7 s per GB, one thread after the other; touching memory, which threads do
// side by side, and registering it then, 0.5 s and 0.04 s.
cudaError_t AllocatePinned(unsigned char** chunk) {
  void* const memory = std::aligned_alloc(static_cast<size_t>(kChunkBytes),
                                          static_cast<size_t>(kChunkBytes));
  if (memory != nullptr) {
    AdviseHugePages(memory, static_cast<size_t>(kChunkBytes));
    std::memset(memory, 0, static_cast<size_t>(kChunkBytes));
    if (cudaHostRegister(memory, static_cast<size_t>(kChunkBytes),
                         cudaHostRegisterDefault) == cudaSuccess) {
      *chunk = static_cast<unsigned char*>(memory);
      return cudaSuccess;
    }
    cudaGetLastError();
    std::free(memory);
  }
  // Not every system lets memory be registered.
  return cudaMallocHost(reinterpret_cast<void**>(chunk),
                        static_cast<size_t>(kChunkBytes));
}

// One thread's chunks. Kept for the life of the process: pinning memory costs
// more than copying it, and at exit CUDA may be gone before we are.
struct Lane {
  std::mutex mutex;  // Held by the thread that copies.
  cudaStream_t stream = nullptr;
  unsigned char* chunk[2] = {nullptr, nullptr};
  cudaEvent_t moved[2] = {nullptr, nullptr};
  bool ready = false;

  cudaError_t Prepare() {
    if (ready) return cudaSuccess;
    cudaError_t error = cudaSuccess;
    if (stream == nullptr) {
      error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
    for (int i = 0; i < 2; ++i) {
      if (error == cudaSuccess && chunk[i] == nullptr) {
        error = AllocatePinned(&chunk[i]);
      }
      if (error == cudaSuccess && moved[i] == nullptr) {
        error = cudaEventCreateWithFlags(&moved[i], cudaEventDisableTiming);
      }
    }
    ready = error == cudaSuccess;
    return error;
  }
};

// One staged copy: the threads draw chunk numbers from `next`.
struct StagedCopy {
  // `host` is only read when to_device is set.
  static StagedCopy ToDevice(const void* host, void* device, int64_t bytes) {
    return {const_cast<unsigned char*>(static_cast<const unsigned char*>(host)),
            static_cast<unsigned char*>(device), bytes, /*to_device=*/true};
  }
  // `device` is only read when to_device is not set.
  static StagedCopy ToHost(const void* device, void* host, int64_t bytes) {
    return {
        static_cast<unsigned char*>(host),
        const_cast<unsigned char*>(static_cast<const unsigned char*>(device)),
        bytes, /*to_device=*/false};
  }

  unsigned char* host;
  unsigned char* device;
  int64_t bytes;
  bool to_device;
  std::atomic<int64_t> next{0};

  int64_t Begin(int64_t chunk) const { return chunk * kChunkBytes; }
  size_t Size(int64_t chunk) const {
    return static_cast<size_t>(std::min(kChunkBytes, bytes - Begin(chunk)));
  }
  int64_t Chunks() const { return (bytes + kChunkBytes - 1) / kChunkBytes; }

  // Without memory to pin, the other lanes do the work; without lanes, Copy.
  cudaError_t Run(Lane& lane) {
    if (lane.Prepare() != cudaSuccess) {
      cudaGetLastError();
      return cudaSuccess;
    }
    const cudaError_t error = to_device ? RunToDevice(lane) : RunToHost(lane);
    if (error != cudaSuccess) next.store(Chunks());  // The others stop too.
    // Also after an error: the chunks must be idle when they are used again.
    const cudaError_t last = cudaStreamSynchronize(lane.stream);
    return error != cudaSuccess ? error : last;
  }

  cudaError_t RunUnstaged() const {
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

  cudaError_t RunToDevice(Lane& lane) {
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
      if (error != cudaSuccess) return error;
    }
  }

  cudaError_t RunToHost(Lane& lane) {
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
};

struct Lanes {
  // One copy by several threads at a time: the bus is shared anyway.
  std::mutex mutex;
  std::atomic<unsigned> turn{0};
  Lane lane[kMostWorkers];
};

// Those of a GPU, to which their streams belong; null for GPUs of high numbers.
Lanes* LanesOf(int device) {
  static auto& lanes = *new std::array<Lanes, kMostGpus>;
  return device < kMostGpus ? &lanes[device] : nullptr;
}

// By this thread, on a lane that is free. If none is, it waits for one of them
// in turn.
cudaError_t CopyAlone(StagedCopy& copy) {
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  Lanes* const lanes = LanesOf(device);
  if (lanes == nullptr) return copy.RunUnstaged();
  Lane* lane =
      std::find_if(std::begin(lanes->lane), std::end(lanes->lane),
                   [](Lane& candidate) { return candidate.mutex.try_lock(); });
  if (lane == std::end(lanes->lane)) {
    lane = &lanes->lane[lanes->turn.fetch_add(1) % kMostWorkers];
    lane->mutex.lock();
  }
  const std::lock_guard<std::mutex> lock(lane->mutex, std::adopt_lock);
  error = copy.Run(*lane);
  if (error != cudaSuccess || copy.next.load() > 0) return error;
  return copy.RunUnstaged();
}

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

// With `in_order`, after all work before it.
cudaError_t Copy(StagedCopy& copy, bool in_order) {
  // The lanes' streams do not wait for other work by themselves.
  cudaError_t error = in_order ? WaitForWork() : cudaSuccess;
  if (error != cudaSuccess) return error;
  int device = 0;
  error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  Lanes* const lanes = LanesOf(device);
  if (lanes == nullptr) return copy.RunUnstaged();
  std::unique_lock<std::mutex> lock(lanes->mutex, std::try_to_lock);
  if (!lock.owns_lock()) {
    // Another copy may take far longer than the driver takes for this one.
    if (in_order && copy.bytes < kBytesToWaitFor) return copy.RunUnstaged();
    lock.lock();
  }

  const int workers = static_cast<int>(std::min<int64_t>(
      {kMostWorkers, std::max(1u, std::thread::hardware_concurrency()),
       copy.bytes / kBytesPerWorker + 1}));
  cudaError_t errors[kMostWorkers] = {};
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
  // No lane took a chunk.
  return copy.next.load() == 0 ? copy.RunUnstaged() : cudaSuccess;
}

absl::Status CheckRange(int64_t size, int64_t offset, int64_t count) {
  if (offset >= 0 && offset <= size && count <= size - offset) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("copy of ", count, " elements at offset ", offset,
                   " of a device buffer of ", size));
}

bool IsPinned(const void* host) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type != cudaMemoryTypeUnregistered;
}

}  // namespace

namespace internal {

absl::Status CopyHostToDevice(const void* host, void* device, int64_t size,
                              int64_t offset, int64_t count,
                              int64_t element_bytes) {
  RETURN_IF_ERROR(CheckRange(size, offset, count));
  if (count == 0) return absl::OkStatus();
  const int64_t bytes = count * element_bytes;
  unsigned char* to =
      static_cast<unsigned char*>(device) + offset * element_bytes;
  if (bytes < kStagedBytes || IsPinned(host)) {
    return CudaStatus(cudaMemcpy(to, host, static_cast<size_t>(bytes),
                                 cudaMemcpyHostToDevice),
                      "copy to the GPU");
  }
  StagedCopy copy = StagedCopy::ToDevice(host, to, bytes);
  return CudaStatus(Copy(copy, /*in_order=*/true), "copy to the GPU");
}

absl::Status CopyHostToDeviceAlone(const void* host, void* device,
                                   int64_t bytes) {
  StagedCopy copy = StagedCopy::ToDevice(host, device, bytes);
  return CudaStatus(CopyAlone(copy), "copy to the GPU");
}

absl::Status CopyHostToDeviceBeside(const void* host, void* device,
                                    int64_t bytes) {
  if (bytes == 0) return absl::OkStatus();
  StagedCopy copy = StagedCopy::ToDevice(host, device, bytes);
  return CudaStatus(Copy(copy, /*in_order=*/false), "copy to the GPU");
}

absl::Status CopyDeviceToHost(const void* device, void* host, int64_t size,
                              int64_t offset, int64_t count,
                              int64_t element_bytes) {
  RETURN_IF_ERROR(CheckRange(size, offset, count));
  if (count == 0) return absl::OkStatus();
  const int64_t bytes = count * element_bytes;
  const unsigned char* from =
      static_cast<const unsigned char*>(device) + offset * element_bytes;
  if (bytes < kStagedBytes || IsPinned(host)) {
    // While cudaMemcpy waits for kernels, calls of other threads wait for it.
    RETURN_IF_ERROR(
        CudaStatus(cudaStreamSynchronize(nullptr), "copy from the GPU"));
    return CudaStatus(cudaMemcpy(host, from, static_cast<size_t>(bytes),
                                 cudaMemcpyDeviceToHost),
                      "copy from the GPU");
  }
  StagedCopy copy = StagedCopy::ToHost(from, host, bytes);
  return CudaStatus(Copy(copy, /*in_order=*/true), "copy from the GPU");
}

}  // namespace internal
}  // namespace warpclust
