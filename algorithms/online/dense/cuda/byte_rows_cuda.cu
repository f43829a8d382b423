// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include "algorithms/online/dense/cuda/byte_rows_cuda.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// Rows of digits are padded to a multiple of 64 bytes and begin at one.
constexpr int kPieceBytes = sizeof(uint4);
static_assert(kDenseDigitPadding % kPieceBytes == 0);

__global__ void __launch_bounds__(kThreads)
    ScatterKernel(const uint4* from, const DenseScale* from_scales,
                  const int32_t* numbers, int64_t count, int pieces, uint4* to,
                  DenseScale* to_scales) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count * pieces) return;
  const int64_t row = i / pieces;
  const int64_t piece = i - row * pieces;
  const int64_t number = numbers[row];
  to[number * pieces + piece] = from[i];
  if (piece == 0) to_scales[number] = from_scales[row];
}

}  // namespace

absl::Status ScatterByteRows(const StagedByteRows& staged, int64_t count,
                             DeviceDenseDocuments* to) {
  if (count == 0) return absl::OkStatus();
  const int pieces = to->digit_bytes / kPieceBytes;
  ScatterKernel<<<BlocksFor(count * pieces, kThreads), kThreads>>>(
      reinterpret_cast<const uint4*>(staged.digits.data()),
      staged.scales.data(), staged.numbers.data(), count, pieces,
      reinterpret_cast<uint4*>(to->digits.data()), to->scales.data());
  return CudaLaunchStatus("rows of changed clusters");
}

}  // namespace warpclust
