// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PackByOwner: the points of a block in the order in which they leave it.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_PACK_BY_OWNER_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_PACK_BY_OWNER_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/device_points.h"

namespace warpclust {

struct PackedBlock {
  DeviceBuffer<double> rows;
  DeviceBuffer<int32_t> numbers;
};

// The points by owner, each owner's in their order; owners[i], below
// num_owners, is that of point i, which has the number first + i. Beside the
// result it takes about 26 bytes per point. ResourceExhausted if device memory
// runs out.
absl::StatusOr<PackedBlock> PackByOwner(const DevicePoints& block,
                                        absl::Span<const uint16_t> owners,
                                        int num_owners, int64_t first);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_PACK_BY_OWNER_CUDA_H_
