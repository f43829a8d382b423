// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TileKeys: distance keys of one point to a tile of 32 others at once, for
// code that wants many keys of its own choice (the sample of the cutoff
// distance, checks). The bits are those of DistanceKey.
//
// Cost: near one difference and one fma a lane and cycle with AVX2. Thread-
// safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_TILE_KEYS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_TILE_KEYS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

inline constexpr int32_t kKeyTilePoints = 32;

// Copies up to 32 `ids` of `points` into `tile`, which has 32 *
// num_dimensions elements: coordinate k of the tile's point i at 32 k + i. The
// rest repeats the last id.
void PackTile(const PointMatrix& points, absl::Span<const int32_t> ids,
              double* tile);

// keys[i] = the key of `row` and the tile's point i; 32 of them.
void TileKeys(Norm norm, const double* row, const double* tile,
              int32_t num_dimensions, double* keys);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_TILE_KEYS_H_
