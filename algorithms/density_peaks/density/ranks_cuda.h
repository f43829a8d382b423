// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityRanksCuda: density ranks (algorithms/density_peaks/density/ranks.h) in
// the memory of the GPU: one stable sort of the densities.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_RANKS_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_RANKS_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/device_buffer.h"

namespace warpclust {

// ranks[i] = the place of point i by density (highest first), then by id, for
// the `count` densities in device memory; a density of -1, of a point that is
// gone, comes after all others. `ranks` is allocated.
absl::Status DensityRanksCuda(const int32_t* densities, int64_t count,
                              DeviceBuffer<int32_t>& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_RANKS_CUDA_H_
