// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/legal_coordinates_cuda.h"
#include "base/status/status_macros.h"
#include "kernels/device/cuda_status.h"
#include "kernels/device/device_limits.h"
#include "kernels/launch.cuh"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

constexpr int kThreads = 256;
// As many as run at the same time.
constexpr int64_t kBlocksPerMultiprocessor = 8;

__global__ void __launch_bounds__(kThreads)
    CheckKernel(const double* values, int64_t count, int32_t* any_wrong) {
  bool is_wrong = false;
  const int64_t step = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count;
       i += step) {
    // The comparison is false for NaN.
    is_wrong |= !(fabs(values[i]) <= kLargestCoordinate);
  }
  if (is_wrong) *any_wrong = 1;
}

}  // namespace

absl::StatusOr<bool> HasLegalCoordinatesCuda(const DevicePoints& points) {
  const DeviceBuffer<double>& values = points.values;
  ASSIGN_OR_RETURN(const int multiprocessors, NumMultiprocessors());
  DeviceBuffer<int32_t> any_wrong;
  RETURN_IF_ERROR(AllocateInto(1, any_wrong));
  RETURN_IF_ERROR(any_wrong.FillBytes(0));
  CheckKernel<<<BlocksFor(values.size(), kThreads,
                          kBlocksPerMultiprocessor * multiprocessors),
                kThreads>>>(values.data(), values.size(), any_wrong.data());
  RETURN_IF_ERROR(CudaLaunchStatus("check of coordinates"));
  int32_t found = 0;
  RETURN_IF_ERROR(any_wrong.CopyToHost(absl::MakeSpan(&found, 1)));
  return found == 0;
}

}  // namespace warpclust
