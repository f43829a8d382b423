// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/device_index.h"

namespace warpclust {

absl::StatusOr<std::unique_ptr<NeighborIndex>> MakeDeviceIndex(
    const PointMatrix&, Metric, DensityPeaksIndex, double, int) {
  return absl::UnavailableError("built without CUDA: build with --config=cuda");
}

}  // namespace warpclust
