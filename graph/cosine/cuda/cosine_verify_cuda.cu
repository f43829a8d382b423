// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "graph/cosine/cuda/cosine_join_kernel_cuda.h"
#include "graph/cosine/cuda/warp_rows.cuh"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

// One warp per pair looks the terms of the shorter document up in the longer
// one by binary search.
__global__ void VerifyKernel(int64_t num_pairs, const int64_t* offsets,
                             const int32_t* terms, const float* weights,
                             const double* squared_norms,
                             CosineDecision decision, const int32_t* rows,
                             const int32_t* columns, float* cosines) {
  const int lane = threadIdx.x & 31;
  const int64_t warps = int64_t{gridDim.x} * (kThreads / 32);
  for (int64_t pair = (int64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
       pair < num_pairs; pair += warps) {
    int32_t shorter = columns[pair];
    int32_t longer = rows[pair];
    if (offsets[shorter + 1] - offsets[shorter] >
        offsets[longer + 1] - offsets[longer]) {
      const int32_t other = shorter;
      shorter = longer;
      longer = other;
    }
    const int64_t shorter_end = offsets[shorter + 1];
    const int64_t longer_end = offsets[longer + 1];
    double dot = 0;
    for (int64_t base = offsets[shorter]; base < shorter_end; base += 32) {
      const int64_t entry = base + lane;
      double product = 0;
      if (entry < shorter_end) {
        const int32_t term = terms[entry];
        const int64_t at = LowerBound(terms, offsets[longer], longer_end, term);
        if (at < longer_end && terms[at] == term) {
          // Exact: two floats have 48 bits together.
          product = static_cast<double>(weights[entry]) * weights[at];
        }
      }
      // In ascending term order, as specified; other terms would add nothing.
      unsigned shared = __ballot_sync(kFullWarp, product != 0);
      while (shared != 0) {
        dot += __shfl_sync(kFullWarp, product, __ffs(shared) - 1);
        shared &= shared - 1;
      }
    }
    if (lane == 0) {
      const double a = squared_norms[rows[pair]];
      const double b = squared_norms[columns[pair]];
      cosines[pair] = dot > 0 && decision.Reaches(dot, a, b)
                          ? CosineDecision::Cosine(dot, a, b)
                          : -1.0f;
    }
  }
}

}  // namespace

absl::Status VerifyPairs(const DeviceDocuments& documents,
                         const CosineDecision& decision, int64_t num_pairs,
                         const int32_t* rows, const int32_t* columns,
                         float* cosines) {
  if (num_pairs == 0) return absl::OkStatus();
  const unsigned blocks = BlocksFor(num_pairs, kThreads / 32, 1 << 20);
  VerifyKernel<<<blocks, kThreads>>>(
      num_pairs, documents.offsets.data(), documents.terms.data(),
      documents.weights.data(), documents.squared_norms.data(), decision, rows,
      columns, cosines);
  return CudaLaunchStatus("verification of pairs");
}

}  // namespace warpclust
