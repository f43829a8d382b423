// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/cuda/shared_points.h"

namespace warpclust {

class SharedPoints::Upload {};

SharedPoints::SharedPoints(const PointMatrix&, Norm,
                           absl::Span<const int64_t> firsts,
                           Communicator& ranks)
    : firsts_(firsts), ranks_(ranks) {}
SharedPoints::~SharedPoints() = default;

absl::StatusOr<std::shared_ptr<DevicePoints>> SharedPoints::Gather(
    DeviceLinks*,
    const std::function<void(std::shared_ptr<const DevicePoints>)>&,
    const std::function<void(int64_t, int64_t)>&) {
  return nullptr;
}

}  // namespace warpclust
