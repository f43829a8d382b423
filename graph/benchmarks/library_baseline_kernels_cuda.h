// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels and buffers that both library baselines share. Internal to
// library_baselines_cuda.

#ifndef WARPCLUST_GRAPH_BENCHMARKS_LIBRARY_BASELINE_KERNELS_CUDA_H_
#define WARPCLUST_GRAPH_BENCHMARKS_LIBRARY_BASELINE_KERNELS_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graph/cosine/cuda/device_documents_cuda.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// The weights divided by the norms of their documents, in float.
absl::StatusOr<DeviceBuffer<float>> NormalisedWeights(
    const DeviceDocuments& documents);

// Makes `buffer` hold at least `count` elements; contents are lost.
template <typename T>
absl::Status GrowTo(int64_t count, DeviceBuffer<T>& buffer) {
  if (buffer.size() >= count) return absl::OkStatus();
  return AllocateInto(count, buffer);
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_BENCHMARKS_LIBRARY_BASELINE_KERNELS_CUDA_H_
