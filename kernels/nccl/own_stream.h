// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OwnStream: the stream on which data comes and goes beside other work.

#ifndef WARPCLUST_KERNELS_NCCL_OWN_STREAM_H_
#define WARPCLUST_KERNELS_NCCL_OWN_STREAM_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"

namespace warpclust {

// A stream that is not ordered with the default stream. It has the highest
// priority.
class OwnStream {
 public:
  OwnStream() = default;
  ~OwnStream() {
    if (stream_ != nullptr && cudaStreamDestroy(stream_) != cudaSuccess) {
      cudaGetLastError();
    }
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  // On the current device, which each call then makes current, whatever the
  // thread.
  absl::Status Start() {
    RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device_), "find the GPU"));
    int least = 0, greatest = 0;
    RETURN_IF_ERROR(
        CudaStatus(cudaDeviceGetStreamPriorityRange(&least, &greatest),
                   "find priorities of streams"));
    return CudaStatus(
        cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest),
        "create a stream");
  }
  absl::Status Use() const {
    return CudaStatus(cudaSetDevice(device_), "take the GPU of a rank");
  }
  absl::Status Copy(void* to, const void* from, int64_t bytes,
                    cudaMemcpyKind kind) const {
    if (bytes == 0) return absl::OkStatus();
    RETURN_IF_ERROR(CudaStatus(
        cudaMemcpyAsync(to, from, static_cast<size_t>(bytes), kind, stream_),
        "copy for another rank"));
    return CudaStatus(cudaStreamSynchronize(stream_), "copy for another rank");
  }
  cudaStream_t get() const { return stream_; }

 private:
  int device_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_OWN_STREAM_H_
