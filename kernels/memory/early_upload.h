// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// EarlyUpload<T>: an array that is copied to the GPU while it is still being
// read. For float and double, in every build.
//
//   std::unique_ptr<EarlyUpload<float>> upload = EarlyUpload<float>::New();
//   ... upload->Write(first, block, /*expected=*/size); ...  // While reading.
//   ASSIGN_OR_RETURN(DeviceBuffer<float> on_gpu, upload->Finish(values));
//
// The result and the errors are those of DeviceBuffer<T>::FromHost(values),
// which takes longer. What Write could not copy, Finish copies. Write copies
// nothing before CUDA runs in the process (CudaIsRunning), and nothing after
// GPU memory did not suffice.

#ifndef WARPCLUST_KERNELS_MEMORY_EARLY_UPLOAD_H_
#define WARPCLUST_KERNELS_MEMORY_EARLY_UPLOAD_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace warpclust {

template <typename T>
class DeviceBuffer;  // device_buffer.h

template <typename T>
class EarlyUpload {
 public:
  // Null in a build without CUDA code.
  static std::unique_ptr<EarlyUpload> New();

  virtual ~EarlyUpload() = default;

  // Copies `values`, those from number `first` on, to the GPU, and waits for
  // them. Each value is written at most once. Memory for `expected` values in
  // all is allocated at once; if that is 0, or too few, it grows, and takes up
  // to 2.5 times as much. Any number of threads may write at the same time.
  virtual void Write(int64_t first, absl::Span<const T> values,
                     int64_t expected) = 0;

  // How many values Write copied. On any thread.
  virtual int64_t NumWritten() const = 0;

  // `values` in GPU memory; what was written must be part of them. To be called
  // once, after all writes. Errors as DeviceBuffer<T>::FromHost.
  virtual absl::StatusOr<DeviceBuffer<T>> Finish(
      absl::Span<const T> values) = 0;
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_MEMORY_EARLY_UPLOAD_H_
