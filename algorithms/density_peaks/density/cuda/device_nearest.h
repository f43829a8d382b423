// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceNearest: nearest points in GPU memory, as the searches there take and
// leave them.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_NEAREST_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_NEAREST_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

struct DeviceNearest {
  DeviceBuffer<int32_t> ids;
  DeviceBuffer<double> keys;

  // Both take 16 bytes of device memory per point while they copy.
  absl::Status CopyFromHost(absl::Span<const NearestPoint> nearest);
  // Those from `first` on, as many as the span has.
  absl::Status CopyToHost(absl::Span<NearestPoint> nearest,
                          int64_t first = 0) const;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_NEAREST_H_
