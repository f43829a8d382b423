// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "base/status/status_macros.h"
#include "graph/benchmarks/library_baseline_kernels_cuda.h"
#include "graph/benchmarks/library_baselines_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// A warp per document.
__global__ void NormaliseKernel(int32_t num_documents, const int64_t* offsets,
                                const float* weights,
                                const double* squared_norms,
                                float* normalised) {
  const int64_t document = (int64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
  if (document >= num_documents) return;
  const double scale = 1.0 / sqrt(squared_norms[document]);
  for (int64_t e = offsets[document] + (threadIdx.x & 31);
       e < offsets[document + 1]; e += 32) {
    normalised[e] = static_cast<float>(weights[e] * scale);
  }
}

}  // namespace

absl::StatusOr<DeviceBuffer<float>> NormalisedWeights(
    const DeviceDocuments& documents) {
  auto normalised = DeviceBuffer<float>::Allocate(documents.num_entries);
  if (!normalised.ok() || documents.num_entries == 0) return normalised;
  const unsigned blocks =
      BlocksFor(int64_t{documents.num_documents} * 32, kThreads);
  NormaliseKernel<<<blocks, kThreads>>>(
      documents.num_documents, documents.offsets.data(),
      documents.weights.data(), documents.squared_norms.data(),
      normalised->data());
  RETURN_IF_ERROR(CudaLaunchStatus("normalise documents"));
  return normalised;
}

absl::StatusOr<double> MeasureCopyRate() {
  constexpr int64_t kBytes = int64_t{2} << 30;
  ASSIGN_OR_RETURN(auto from, DeviceBuffer<unsigned char>::Allocate(kBytes));
  ASSIGN_OR_RETURN(auto to, DeviceBuffer<unsigned char>::Allocate(kBytes));
  RETURN_IF_ERROR(from.FillBytes(1));
  RETURN_IF_ERROR(to.FillBytes(2));
  ASSIGN_OR_RETURN(const Stream stream, Stream::Create());
  ASSIGN_OR_RETURN(Event begin, Event::Create());
  ASSIGN_OR_RETURN(Event end, Event::Create());
  constexpr int kCopies = 8;
  double best = 0;
  for (int run = 0; run < 4; ++run) {  // the first one warms up
    RETURN_IF_ERROR(begin.Record(stream));
    for (int copy = 0; copy < kCopies; ++copy) {
      RETURN_IF_ERROR(
          CudaStatus(cudaMemcpyAsync(to.data(), from.data(), kBytes,
                                     cudaMemcpyDeviceToDevice, stream.get()),
                     "copy inside the device"));
    }
    RETURN_IF_ERROR(end.Record(stream));
    ASSIGN_OR_RETURN(const double seconds, end.SecondsSince(begin));
    if (run > 0) best = std::max(best, 2.0 * kBytes * kCopies / seconds);
  }
  return best;
}

}  // namespace warpclust
