// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// NearestArrays: what CudaBruteForce::NearestOfHigherRank keeps for each place
// while it runs (NearestState of tile_search_cuda.h), its start and its end.
// Internal.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_NEAREST_STATE_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_NEAREST_STATE_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

struct NearestArrays {
  DeviceBuffer<int32_t> ranks;
  DeviceBuffer<double> keys;
  DeviceBuffer<int32_t> ids;
  DeviceBuffer<int32_t> locks;
  DeviceBuffer<unsigned long long> bounds;
  DeviceBuffer<int32_t> first_limits;
  DeviceBuffer<int32_t> second_limits;
  DeviceBuffer<double> reaches;  // by tile
  DeviceBuffer<int32_t> top;     // the place of rank 0

  // Allocates, sets the pointers of `arguments.nearest`, and gives every point
  // the neighbor that it is known to have. `known_ids`, -1 for none, and
  // `known_keys` are by point.
  absl::Status Start(const DeviceBuffer<int32_t>& point_ranks,
                     const DeviceBuffer<int32_t>& known_ids,
                     const DeviceBuffer<double>& known_keys,
                     TileArguments& arguments);
  // Gives every point of the share except that of rank 0 a neighbor: the point
  // of rank 0, or the nearest of higher rank among 32 places (by first digits,
  // if they exist) if that is better.
  absl::Status Seed(Norm norm, const TileArguments& arguments);
};

// Sets the reaches from the best keys.
absl::Status UpdateReaches(Norm norm, const TileArguments& arguments,
                           NearestArrays& arrays);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_NEAREST_STATE_CUDA_H_
