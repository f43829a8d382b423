// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KNearestTiles: the k nearest points of many queries by all pairs of queries
// and points, on the GPU. Call FindNearestNeighbors
// (vptree/nearest_neighbors.h), which chooses the index.
//
// A block of threads has 64 queries, computes their exact keys to 64 points at
// a time, and offers those nearer than the worst so far to a heap per query.
// Memory: 12 bytes per answer, and as much for the heaps.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_K_NEAREST_TILES_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_K_NEAREST_TILES_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/points/device_points.h"

namespace warpclust {

// Sets ids[q * k + j] and keys[q * k + j] to the j-th nearest point of query q,
// by key and then by id. `points` and `queries` are prepared and have one
// number of dimensions; there are at least k points, and k is at least 1.
// ResourceExhausted if device memory runs out.
absl::Status KNearestTiles(const DevicePoints& points,
                           const DevicePoints& queries, int32_t k,
                           DeviceBuffer<int32_t>& ids,
                           DeviceBuffer<double>& keys);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_K_NEAREST_TILES_CUDA_H_
