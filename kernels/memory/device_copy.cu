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
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <future>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/memory/copy_in_parts.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/device_copy.h"
#include "kernels/memory/staging_lanes.h"

namespace warpclust {
namespace {

using internal::kChunkBytes;
using internal::kNumLanes;
using internal::Lane;
using internal::Lanes;

constexpr int64_t kStagedBytes = int64_t{16} << 20;  // Smaller: cudaMemcpy.
// Fewer do not wait for a copy that uses the lanes.
constexpr int64_t kBytesToWaitFor = int64_t{64} << 20;
// Bytes per thread: for fewer, starting it does not pay.
constexpr int64_t kBytesPerWorker = int64_t{8} << 20;

// Which parts of a copy to the GPU are there.
class Parts {
 public:
  explicit Parts(const std::vector<int64_t>& ends) : parts_(ends.size()) {
    for (size_t p = 0; p < ends.size(); ++p) parts_[p].end = ends[p];
    // A chunk belongs to the part in which it begins.
    int64_t chunks = 0;
    for (Part& part : parts_) {
      const int64_t begun = (part.end + kChunkBytes - 1) / kChunkBytes;
      part.chunks_left = begun - chunks;
      chunks = begun;
    }
  }
  ~Parts() {
    for (Part& part : parts_) {
      for (const cudaEvent_t event : part.given) {
        if (event != nullptr && cudaEventDestroy(event) != cudaSuccess) {
          cudaGetLastError();
        }
      }
    }
  }

  // The chunk at `begin` is on its way by `lane`.
  cudaError_t Give(int64_t begin, const Lane& lane, int lane_number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Part& part = *std::upper_bound(
        parts_.begin(), parts_.end(), begin,
        [](int64_t at, const Part& other) { return at < other.end; });
    cudaEvent_t& event = part.given[lane_number];
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

  // The copy has ended.
  void End(cudaError_t error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
    error_ = error;
    changed_.notify_all();
  }

  cudaError_t Wait(int number) {
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

// One staged copy: the threads draw chunk numbers from `next`.
struct StagedCopy {
  // `host` is only read when to_device is set.
  static StagedCopy ToDevice(const void* host, void* device, int64_t bytes,
                             Parts* parts = nullptr) {
    return {const_cast<unsigned char*>(static_cast<const unsigned char*>(host)),
            static_cast<unsigned char*>(device), bytes, /*to_device=*/true,
            parts};
  }
  // `device` is only read when to_device is not set.
  static StagedCopy ToHost(const void* device, void* host, int64_t bytes) {
    return {
        static_cast<unsigned char*>(host),
        const_cast<unsigned char*>(static_cast<const unsigned char*>(device)),
        bytes, /*to_device=*/false, /*parts=*/nullptr};
  }

  unsigned char* host;
  unsigned char* device;
  int64_t bytes;
  bool to_device;
  Parts* parts;  // May be null.
  std::atomic<int64_t> next{0};

  int64_t Begin(int64_t chunk) const { return chunk * kChunkBytes; }
  size_t Size(int64_t chunk) const {
    return static_cast<size_t>(std::min(kChunkBytes, bytes - Begin(chunk)));
  }
  int64_t Chunks() const { return (bytes + kChunkBytes - 1) / kChunkBytes; }

  cudaError_t Run(Lane& lane, int lane_number) {
    const cudaError_t error =
        to_device ? RunToDevice(lane, lane_number) : RunToHost(lane);
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

  cudaError_t RunToDevice(Lane& lane, int lane_number) {
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
      if (error == cudaSuccess && parts != nullptr) {
        error = parts->Give(Begin(c), lane, lane_number);
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

// By this thread, on a lane that is free. If none is, it waits for one of them
// in turn.
cudaError_t CopyAlone(StagedCopy& copy) {
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
  return copy.Run(*lane, /*lane_number=*/0);
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
    return copy.Run(lane, w);
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

constexpr char kCopyToGpu[] = "copy to the GPU";

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
                      kCopyToGpu);
  }
  StagedCopy copy = StagedCopy::ToDevice(host, to, bytes);
  return CudaStatus(Copy(copy, /*in_order=*/true), kCopyToGpu);
}

absl::Status CopyHostToDeviceAlone(const void* host, void* device,
                                   int64_t bytes) {
  StagedCopy copy = StagedCopy::ToDevice(host, device, bytes);
  return CudaStatus(CopyAlone(copy), kCopyToGpu);
}

class CopyInParts::Running {
 public:
  Running(const void* host, const std::vector<int64_t>& ends) : parts_(ends) {
    int gpu = 0;
    if (cudaGetDevice(&gpu) != cudaSuccess) cudaGetLastError();
    const int64_t bytes = ends.empty() ? 0 : ends.back();
    // Not to throw: a thread may wait for its end.
    copying_ =
        std::async(std::launch::async, [this, host, bytes, gpu]() noexcept {
          parts_.End(Run(host, bytes, gpu));
        });
  }
  ~Running() {
    if (!is_started_) Start(nullptr);
  }

  void Start(void* device) {
    is_started_ = true;
    device_.set_value(device);
  }

  absl::Status WaitForPart(int part) {
    return CudaStatus(parts_.Wait(part), kCopyToGpu);
  }

 private:
  cudaError_t Run(const void* host, int64_t bytes, int gpu) {
    const cudaError_t error = cudaSetDevice(gpu);
    const bool is_staged = bytes >= kStagedBytes;
    if (error == cudaSuccess && is_staged) Lanes::OfCurrentGpu();
    void* const device = device_.get_future().get();
    if (error != cudaSuccess || device == nullptr) return error;
    StagedCopy copy = StagedCopy::ToDevice(host, device, bytes, &parts_);
    return is_staged ? Copy(copy, /*in_order=*/false) : copy.RunUnstaged();
  }

  Parts parts_;
  bool is_started_ = false;
  std::promise<void*> device_;
  std::future<void> copying_;  // Ends before what it uses.
};

CopyInParts::CopyInParts(const void* host, const std::vector<int64_t>& ends)
    : running_(std::make_unique<Running>(host, ends)) {}
CopyInParts::~CopyInParts() = default;

void CopyInParts::Start(void* device) { running_->Start(device); }
absl::Status CopyInParts::WaitForPart(int part) {
  return running_->WaitForPart(part);
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
