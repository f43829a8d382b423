// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PointTiles: an order of the points in tiles of 128 that lie together, with a
// center and a radius per tile, for brute_force_cuda. Internal.
//
// Points go to the nearest of up to 256 pivots (nearest_pivots_cuda.h) and are
// sorted by pivot, then by distance to it. Each pivot's points start a new
// tile; the places left over in the tile before stay empty. Points of two parts
// never share a tile. In many dimensions no finer order makes tiles smaller,
// and this one finds most clusters. The order decides what is skipped, never a
// result.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_POINT_TILES_CUDA_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_POINT_TILES_CUDA_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/quantized_rows_cuda.h"
#include "vptree/points/device_points.h"

namespace warpclust {

inline constexpr int kTilePoints = 128;

struct PointTiles {
  int32_t num_tiles = 0;
  // The tiles of the first part; all of them if there is one part.
  int32_t first_part_tiles = 0;
  // [num_tiles * kTilePoints]: the point at each place, -1 if empty.
  DeviceBuffer<int32_t> ids;
  // The number of points of each tile.
  DeviceBuffer<int32_t> sizes;
  // [tile][dimension]. About the mean; any point would be correct.
  DeviceBuffer<double> centers;
  // In the norm's distance, not its key. No point of the tile is farther from
  // the center, rounding included.
  DeviceBuffer<double> radii;

  int32_t num_places() const { return num_tiles * kTilePoints; }
};

// An upper bound of num_places() for `num_points` points. `first_part`: see
// MakePointTiles.
int64_t MostPlaces(int32_t num_points, int32_t first_part);

// Points from `first_part` on are a second part; num_points: there is one part.
// `by_id`: the rows of all points, in order of their ids.
absl::StatusOr<PointTiles> MakePointTiles(const DevicePoints& points,
                                          int32_t first_part,
                                          const QuantizedRows& by_id);

// Sets by_point[i] to the element of `by_place` at the place of point i. T:
// int32_t or double.
template <typename T>
absl::Status WriteByPoint(const PointTiles& tiles,
                          const DeviceBuffer<T>& by_place,
                          DeviceBuffer<T>& by_point);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_POINT_TILES_CUDA_H_
