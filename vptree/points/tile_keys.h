// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TileKeys: the distance keys of one point to a tile of 32 others at once, with
// the bits of DistanceKey. With AVX2 it runs near one difference and one fma
// per lane and cycle.

#ifndef WARPCLUST_VPTREE_POINTS_TILE_KEYS_H_
#define WARPCLUST_VPTREE_POINTS_TILE_KEYS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

inline constexpr int32_t kKeyTilePoints = 32;

// Copies up to 32 `ids` of `points` into `tile`, which has 32 * num_dimensions
// elements: coordinate k of the tile's point i is at 32 k + i. Places without a
// point repeat the last one.
void PackTile(const PointMatrix& points, absl::Span<const int32_t> ids,
              double* tile);

// Sets keys[i] to the key of `row` and the tile's point i, for all 32.
void TileKeys(Norm norm, const double* row, const double* tile,
              int32_t num_dimensions, double* keys);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_TILE_KEYS_H_
