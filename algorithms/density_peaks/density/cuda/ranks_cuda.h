// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityRanksCuda: density ranks (density/ranks.h) in the memory of the GPU,
// by one stable sort of the densities.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_RANKS_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_RANKS_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

// Allocates `ranks` and sets ranks[i] to the place of point i by density
// (highest first), then by id. `densities` has `count` elements in device
// memory; removed points, of density -1, come after all others.
absl::Status DensityRanksCuda(const int32_t* densities, int64_t count,
                              DeviceBuffer<int32_t>& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_RANKS_CUDA_H_
