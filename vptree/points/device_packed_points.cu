// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <algorithm>

#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/launch.cuh"
#include "vptree/points/device_packed_points.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// Floats of a piece: 128 MiB.
constexpr int64_t kPiece = int64_t{1} << 25;

__global__ void __launch_bounds__(kThreads)
    WidenKernel(const float* from, int64_t count, double* to) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) to[i] = from[i];
}

}  // namespace

absl::Status CopyToDevice(const PackedRows& rows, int64_t offset,
                          DeviceBuffer<double>& values) {
  if (rows.grid != nullptr) {
    return absl::UnimplementedError("points as bytes do not go to a GPU");
  }
  const auto size = static_cast<int64_t>(rows.floats.size());
  if (size == 0) return values.CopyFromHost(rows.doubles, offset);
  if (offset < 0 || size > values.size() - offset) {
    return absl::InvalidArgumentError("points that do not fit their buffer");
  }
  DeviceBuffer<float> piece;
  RETURN_IF_ERROR(AllocateInto(std::min(size, kPiece), piece));
  for (int64_t first = 0; first < size; first += kPiece) {
    const int64_t count = std::min(kPiece, size - first);
    RETURN_IF_ERROR(piece.CopyFromHost(rows.floats.subspan(first, count)));
    WidenKernel<<<BlocksFor(count, kThreads), kThreads>>>(
        piece.data(), count, values.data() + offset + first);
    RETURN_IF_ERROR(CudaLaunchStatus("floats to doubles"));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
