// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DensityRanksCuda: density ranks (density/ranks.h) in the memory of the GPU,
// by one stable sort of the densities.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_RANKS_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_RANKS_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"

namespace warpclust {

struct DeviceRanks {
  // By point: its place by density (highest first), then by id.
  DeviceBuffer<int32_t> ranks;
  // By rank: the point that has it, and INT32_MAX minus its density.
  DeviceBuffer<uint32_t> order;
  DeviceBuffer<uint32_t> keys;

  // Of `ranks` and `order`.
  absl::Status CopyToHost(absl::Span<int32_t> by_point,
                          absl::Span<int32_t> by_rank) const {
    RETURN_IF_ERROR(ranks.CopyToHost(by_point));
    return order.CopyToHost(
        {reinterpret_cast<uint32_t*>(by_rank.data()), by_rank.size()});
  }
};

// Allocates and sets all of `ranks`. `densities` has `count` elements in device
// memory; removed points, of density -1, come after all others.
absl::Status DensityRanksCuda(const int32_t* densities, int64_t count,
                              DeviceRanks& ranks);
// Only `ranks`.
absl::Status DensityRanksCuda(const int32_t* densities, int64_t count,
                              DeviceBuffer<int32_t>& ranks);

// Allocates `ranks` and sets ranks[q] to the number of points of higher density
// than densities[q], and of the same with ids below places[q].
absl::Status RanksAmongCuda(const DeviceRanks& points,
                            const DeviceBuffer<int32_t>& densities,
                            const DeviceBuffer<int32_t>& places,
                            DeviceBuffer<int32_t>& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_RANKS_CUDA_H_
