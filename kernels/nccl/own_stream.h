// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// OwnStream: the stream on which data comes and goes beside other work.

#ifndef WARPCLUST_KERNELS_NCCL_OWN_STREAM_H_
#define WARPCLUST_KERNELS_NCCL_OWN_STREAM_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/stream.h"

namespace warpclust {

// A stream beside the default stream, for several threads in turn.
class OwnStream {
 public:
  // On the current device, which each call then makes current, whatever the
  // thread.
  absl::Status Start() {
    RETURN_IF_ERROR(CudaStatus(cudaGetDevice(&device_), "find the GPU"));
    ASSIGN_OR_RETURN(stream_, Stream::CreateBeside());
    return absl::OkStatus();
  }
  absl::Status Use() const {
    return CudaStatus(cudaSetDevice(device_), "take the GPU of a rank");
  }
  absl::Status Copy(void* to, const void* from, int64_t bytes,
                    cudaMemcpyKind kind) const {
    if (bytes == 0) return absl::OkStatus();
    RETURN_IF_ERROR(CudaStatus(
        cudaMemcpyAsync(to, from, static_cast<size_t>(bytes), kind, get()),
        "copy for another rank"));
    return CudaStatus(cudaStreamSynchronize(get()), "copy for another rank");
  }
  cudaStream_t get() const { return stream_->get(); }

 private:
  int device_ = 0;
  std::optional<Stream> stream_;
};

}  // namespace warpclust

#endif  // WARPCLUST_KERNELS_NCCL_OWN_STREAM_H_
