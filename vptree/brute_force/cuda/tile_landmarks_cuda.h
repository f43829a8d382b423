// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TileLandmarks: the distances of all tiles' centers to a few of them, which
// bound the distance of any two centers by the triangle inequality. Tiles come
// in an order in which neighbors lie together, so every few tiles one is a
// landmark, and that before a tile is near it. Internal.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_LANDMARKS_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_LANDMARKS_CUDA_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/point_tiles_cuda.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

struct TileLandmarks {
  // The landmark of a tile is number tile / stride, the center of its multiple.
  int32_t stride = 1;
  // [landmark][tile], with the relative error of WarpKey (warp_key_cuda.cuh).
  DeviceBuffer<double> distances;
};

// Cost: at most 256 distances of centers per tile, and 16 bytes per point.
absl::StatusOr<TileLandmarks> MakeTileLandmarks(const PointTiles& tiles,
                                                int32_t num_dimensions,
                                                Norm norm);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TILE_LANDMARKS_CUDA_H_
