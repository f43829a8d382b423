// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <future>

#include "kernels/device/cuda_status.h"
#include "kernels/memory/copy_in_parts.h"
#include "kernels/memory/copy_progress.h"
#include "kernels/memory/staged_copy.h"

namespace warpclust::internal {

class CopyInParts::Running {
 public:
  Running(const void* host, const std::vector<int64_t>& ends)
      : progress_(ends) {
    int gpu = 0;
    if (cudaGetDevice(&gpu) != cudaSuccess) cudaGetLastError();
    const int64_t bytes = ends.empty() ? 0 : ends.back();
    // Not to throw: a thread may wait for its end.
    copying_ =
        std::async(std::launch::async, [this, host, bytes, gpu]() noexcept {
          progress_.End(Run(host, bytes, gpu));
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
    return CudaStatus(progress_.Wait(part), "copy to the GPU");
  }

 private:
  cudaError_t Run(const void* host, int64_t bytes, int gpu) {
    const cudaError_t error = cudaSetDevice(gpu);
    const bool is_staged = bytes >= kStagedBytes;
    if (error == cudaSuccess && is_staged) Lanes::OfCurrentGpu();
    void* const device = device_.get_future().get();
    if (error != cudaSuccess || device == nullptr) return error;
    StagedCopy copy = StagedCopy::ToDevice(host, device, bytes, &progress_);
    return is_staged ? CopyByThreads(copy, /*in_order=*/false)
                     : copy.RunUnstaged();
  }

  CopyProgress progress_;
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

}  // namespace warpclust::internal
