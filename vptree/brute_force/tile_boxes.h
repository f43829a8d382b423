// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TileBoxes: the bounding boxes of tiles of 128 points in single precision,
// side by side, so that one tile is held against many at once.
//
// Thread-safety: const methods may be called concurrently.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_TILE_BOXES_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_TILE_BOXES_H_

#include <cstdint>
#include <vector>

#include "vptree/brute_force/pair_tile_kernels.h"

namespace warpclust {

inline constexpr int kFilterTilePanels = 4;
inline constexpr int kFilterTilePoints = kFilterTilePanels * kPanelPoints;

class TileBoxes {
 public:
  // Boxes over the first num_dimensions of the stored_dimensions of panels as
  // FilterPanel::values has them, one panel behind the other.
  void Fill(const float* panels, int32_t num_points, int stored_dimensions,
            int num_dimensions);

  // The sums over the dimensions of the squares of the least and of the largest
  // |difference| of points of `tile` and of tile begin + i, for the tiles
  // [begin, end): gaps[i] and reaches[i]. In double; 1e-13 of them is more than
  // their rounding errors.
  void GapsAndReaches(int tile, int begin, int end, double* gaps,
                      double* reaches) const;
  // The same least one for a point: coordinate k is values[k * stride].
  double PointGap(const float* values, int stride, int tile) const;

  // How far apart the middles of the boxes are: twice the distance, squared,
  // roughly, for all tiles.
  void MiddleDistances(int tile, double* distances) const;

 private:
  int num_tiles_ = 0;
  int num_dimensions_ = 0;
  // Bound k of tile t is at [k * num_tiles + t].
  std::vector<float> low_;
  std::vector<float> high_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_TILE_BOXES_H_
