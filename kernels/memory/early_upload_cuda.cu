// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device.h"
#include "kernels/memory/device_buffer.h"
#include "kernels/memory/device_copy.h"
#include "kernels/memory/early_upload.h"

namespace warpclust {
namespace {

// Values from number `begin` up to `end`.
struct Range {
  int64_t begin;
  int64_t end;
};

template <typename T>
class CudaUpload final : public EarlyUpload<T> {
 public:
  void Write(int64_t first, absl::Span<const T> values,
             int64_t expected) override {
    // ResolveDevice gives this thread the GPU of the process.
    if (values.empty() || !CudaIsRunning() ||
        !ResolveDevice(Device::kCuda).ok()) {
      return;
    }
    Stopwatch stopwatch;
    const Range range = {first, first + static_cast<int64_t>(values.size())};
    std::shared_lock<std::shared_mutex> lock(mutex_);
    if (range.end > buffer_.size()) {
      lock.unlock();
      Grow(range.end, expected);
      lock.lock();
    }
    if (failed_) return;
    const absl::Status copied = internal::CopyHostToDeviceAlone(
        values.data(), buffer_.data() + first,
        static_cast<int64_t>(values.size() * sizeof(T)));
    if (copied.ok()) {
      const std::lock_guard<std::mutex> writing(written_mutex_);
      written_.push_back(range);
      num_written_ += range.end - range.begin;
    }
    stopwatch.Lap("upload");
  }

  int64_t NumWritten() const override { return num_written_; }

  absl::StatusOr<DeviceBuffer<T>> Finish(absl::Span<const T> values) override {
    Stopwatch stopwatch;
    absl::StatusOr<DeviceBuffer<T>> finished = FinishOrRepeat(values);
    stopwatch.Lap("upload");
    return finished;
  }

 private:
  absl::StatusOr<DeviceBuffer<T>> FinishOrRepeat(absl::Span<const T> values) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    const bool complete = !failed_ && Complete(values).ok();
    failed_ = true;  // Nothing is left for another call.
    if (complete) return std::move(buffer_);
    // The usual way has its own errors, with as much memory as it ever had.
    buffer_ = DeviceBuffer<T>();
    return DeviceBuffer<T>::FromHost(values);
  }

  // Makes room for `end` values, unless another thread just did.
  void Grow(int64_t end, int64_t expected) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    if (failed_ || end <= buffer_.size()) return;
    absl::Status grown = ReserveInto(std::max(end, expected), buffer_);
    // Writes are not ordered with the default stream, which copied.
    if (grown.ok()) {
      grown = CudaStatus(cudaDeviceSynchronize(), "wait for GPU memory");
    }
    if (grown.ok()) return;
    failed_ = true;
    buffer_ = DeviceBuffer<T>();
  }

  // Makes buffer_ `values` by copying those that were not written.
  absl::Status Complete(absl::Span<const T> values) {
    const auto size = static_cast<int64_t>(values.size());
    if (buffer_.size() != size) {
      ASSIGN_OR_RETURN(DeviceBuffer<T> exact, DeviceBuffer<T>::Allocate(size));
      RETURN_IF_ERROR(
          internal::CopyWithinDevice(buffer_.data(), exact.data(),
                                     std::min(buffer_.bytes(), exact.bytes())));
      buffer_ = std::move(exact);
    }
    std::sort(written_.begin(), written_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    written_.push_back({size, size});
    int64_t done = 0;
    for (const Range& range : written_) {
      if (range.begin > done) {
        RETURN_IF_ERROR(buffer_.CopyFromHost(
            values.subspan(done, range.begin - done), done));
      }
      done = range.end;
    }
    return absl::OkStatus();
  }

  // Writers share it; who replaces buffer_ has it alone.
  std::shared_mutex mutex_;
  DeviceBuffer<T> buffer_;
  bool failed_ = false;
  std::mutex written_mutex_;  // Of those who share mutex_.
  std::vector<Range> written_;
  std::atomic<int64_t> num_written_{0};
};

}  // namespace

template <typename T>
std::unique_ptr<EarlyUpload<T>> EarlyUpload<T>::New() {
  return std::make_unique<CudaUpload<T>>();
}

template std::unique_ptr<EarlyUpload<float>> EarlyUpload<float>::New();
template std::unique_ptr<EarlyUpload<double>> EarlyUpload<double>::New();

}  // namespace warpclust
