// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Stream and Event: move-only owners of a CUDA stream and a CUDA event. For .cu
// files; headers outside kernels/ do not show them.
//
// A Stream made by Create is ordered with CUDA's legacy default stream, on
// which DeviceBuffer allocates, frees and copies: each waits for the other. One
// made by CreateBeside is not. Two Streams run side by side. One thread at a
// time uses a Stream or Event.

#ifndef WARPCLUST_KERNELS_STREAM_H_
#define WARPCLUST_KERNELS_STREAM_H_

#include <cuda_runtime_api.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace warpclust {

class Stream;

// A point in a stream's work. An event that was never recorded counts as
// reached.
class Event {
 public:
  static absl::StatusOr<Event> Create();
  ~Event();
  Event(Event&& other) noexcept
      : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }

  cudaEvent_t get() const { return event_; }

  // Marks the point after all work given to `stream` so far.
  absl::Status Record(const Stream& stream);
  // Blocks the calling thread until the point is reached.
  absl::Status Synchronize() const;
  // Seconds on the device from `start` to this event, to about half a
  // microsecond. Waits for this event. Both must have been recorded.
  absl::StatusOr<double> SecondsSince(const Event& start) const;

 private:
  explicit Event(cudaEvent_t event) : event_(event) {}
  cudaEvent_t event_ = nullptr;
};

// Work on the current device, in the order given.
class Stream {
 public:
  // Unavailable without a GPU.
  static absl::StatusOr<Stream> Create();
  // One that is not ordered with the default stream, and whose work goes first:
  // its kernels begin as soon as blocks of others end.
  static absl::StatusOr<Stream> CreateBeside();
  // Does not wait: work already given is still done.
  ~Stream();
  Stream(Stream&& other) noexcept
      : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }

  cudaStream_t get() const { return stream_; }

  // Blocks the calling thread until all work given so far is done. Returns the
  // errors of kernels on the stream.
  absl::Status Synchronize() const;
  // Work given from now on waits for `event`; the calling thread does not.
  absl::Status WaitFor(const Event& event);

 private:
  explicit Stream(cudaStream_t stream) : stream_(stream) {}
  cudaStream_t stream_ = nullptr;
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_STREAM_H_
