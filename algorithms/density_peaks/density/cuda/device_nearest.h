// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceNearest: nearest points in GPU memory, as the searches there take and
// leave them.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_NEAREST_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_NEAREST_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/nearest_point.h"

namespace warpclust {

struct DeviceNearest {
  DeviceBuffer<int32_t> ids;
  DeviceBuffer<double> keys;

  absl::Status CopyFromHost(absl::Span<const NearestPoint> nearest) {
    std::vector<int32_t> host_ids;
    std::vector<double> host_keys;
    host_ids.reserve(nearest.size());
    host_keys.reserve(nearest.size());
    for (const NearestPoint& point : nearest) {
      host_ids.push_back(point.id);
      host_keys.push_back(point.key);
    }
    ASSIGN_OR_RETURN(ids, DeviceBuffer<int32_t>::FromHost(host_ids));
    ASSIGN_OR_RETURN(keys, DeviceBuffer<double>::FromHost(host_keys));
    return absl::OkStatus();
  }

  // Those from `first` on, as many as the span has.
  absl::Status CopyToHost(absl::Span<NearestPoint> nearest,
                          int64_t first = 0) const {
    std::vector<int32_t> host_ids(nearest.size());
    std::vector<double> host_keys(nearest.size());
    RETURN_IF_ERROR(ids.CopyToHost(absl::MakeSpan(host_ids), first));
    RETURN_IF_ERROR(keys.CopyToHost(absl::MakeSpan(host_keys), first));
    for (size_t i = 0; i < nearest.size(); ++i) {
      nearest[i] = {host_keys[i], host_ids[i]};
    }
    return absl::OkStatus();
  }
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_NEAREST_H_
