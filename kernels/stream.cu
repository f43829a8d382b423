// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/stream.h"

namespace warpclust {

absl::StatusOr<Event> Event::Create() {
  cudaEvent_t event = nullptr;
  RETURN_IF_ERROR(CudaStatus(cudaEventCreate(&event), "create an event"));
  return Event(event);
}

Event::~Event() {
  // Fails only where the context is gone, and the event with it.
  if (event_ != nullptr && cudaEventDestroy(event_) != cudaSuccess) {
    cudaGetLastError();
  }
}

absl::Status Event::Record(const Stream& stream) {
  return CudaStatus(cudaEventRecord(event_, stream.get()), "record an event");
}

absl::Status Event::Synchronize() const {
  return CudaStatus(cudaEventSynchronize(event_), "wait for an event");
}

absl::StatusOr<double> Event::SecondsSince(const Event& start) const {
  RETURN_IF_ERROR(Synchronize());
  float milliseconds = 0;
  RETURN_IF_ERROR(
      CudaStatus(cudaEventElapsedTime(&milliseconds, start.event_, event_),
                 "time between events"));
  return milliseconds * 1e-3;
}

absl::StatusOr<Stream> Stream::Create() {
  cudaStream_t stream = nullptr;
  // Default flags: ordered with the legacy default stream.
  RETURN_IF_ERROR(CudaStatus(cudaStreamCreate(&stream), "create a stream"));
  return Stream(stream);
}

absl::StatusOr<Stream> Stream::CreateBeside() {
  int least = 0, greatest = 0;
  RETURN_IF_ERROR(
      CudaStatus(cudaDeviceGetStreamPriorityRange(&least, &greatest),
                 "find priorities of streams"));
  cudaStream_t stream = nullptr;
  RETURN_IF_ERROR(CudaStatus(
      cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest),
      "create a stream"));
  return Stream(stream);
}

Stream::~Stream() {
  if (stream_ != nullptr && cudaStreamDestroy(stream_) != cudaSuccess) {
    cudaGetLastError();
  }
}

absl::Status Stream::Synchronize() const {
  return CudaStatus(cudaStreamSynchronize(stream_), "wait for a stream");
}

absl::Status Stream::WaitFor(const Event& event) {
  return CudaStatus(cudaStreamWaitEvent(stream_, event.get(), 0),
                    "let a stream wait");
}

}  // namespace warpclust
