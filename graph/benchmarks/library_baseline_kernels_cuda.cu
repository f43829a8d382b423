// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "graph/benchmarks/library_baseline_kernels_cuda.h"
#include "graph/benchmarks/library_baselines_cuda.h"
#include "kernels/cuda_status.h"
#include "kernels/launch.cuh"
#include "kernels/stream.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;

// A warp a document.
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
  const absl::Status status = CudaLaunchStatus("normalise documents");
  if (!status.ok()) return status;
  return normalised;
}

absl::StatusOr<double> MeasureCopyRate() {
  constexpr int64_t kBytes = int64_t{2} << 30;
  auto from = DeviceBuffer<unsigned char>::Allocate(kBytes);
  if (!from.ok()) return from.status();
  auto to = DeviceBuffer<unsigned char>::Allocate(kBytes);
  if (!to.ok()) return to.status();
  absl::Status status = from->FillBytes(1);
  if (status.ok()) status = to->FillBytes(2);
  if (!status.ok()) return status;
  absl::StatusOr<Stream> stream = Stream::Create();
  if (!stream.ok()) return stream.status();
  absl::StatusOr<Event> begin = Event::Create();
  if (!begin.ok()) return begin.status();
  absl::StatusOr<Event> end = Event::Create();
  if (!end.ok()) return end.status();
  constexpr int kCopies = 8;
  double best = 0;
  for (int run = 0; run < 4; ++run) {  // the first one warms up
    status = begin->Record(*stream);
    for (int copy = 0; copy < kCopies && status.ok(); ++copy) {
      status =
          CudaStatus(cudaMemcpyAsync(to->data(), from->data(), kBytes,
                                     cudaMemcpyDeviceToDevice, stream->get()),
                     "copy inside the device");
    }
    if (status.ok()) status = end->Record(*stream);
    if (!status.ok()) return status;
    const absl::StatusOr<double> seconds = end->SecondsSince(*begin);
    if (!seconds.ok()) return seconds.status();
    if (run > 0) best = std::max(best, 2.0 * kBytes * kCopies / *seconds);
  }
  return best;
}

}  // namespace warpclust
