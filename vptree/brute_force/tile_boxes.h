// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TileBoxes: the bounding boxes of tiles of 128 points in single precision,
// stored so that one tile is compared with many at once.

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
  // Computes boxes over the first num_dimensions of the stored_dimensions of
  // consecutive panels (FilterPanel::values).
  void Fill(const float* panels, int32_t num_points, int stored_dimensions,
            int num_dimensions);

  // Sets gaps[i] and reaches[i] to the sums over the dimensions of the squares
  // of the smallest and largest |difference| between points of `tile` and of
  // tile begin + i, for the tiles [begin, end). Their relative rounding error
  // is below 1e-13.
  void GapsAndReaches(int tile, int begin, int end, double* gaps,
                      double* reaches) const;
  // Returns the gap between a point and a tile. Coordinate k is values[k *
  // stride].
  double PointGap(const float* values, int stride, int tile) const;

  // Sets distances[t] to about the square of twice the distance between the
  // middles of the boxes of `tile` and tile t.
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
