// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// BruteForcePairs: turns PairFilter's bounds into decisions about pairs of
// panels and tiles, and computes exact keys for the pairs that they leave
// undecided. Each thread needs its own PairScratch.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_PAIRS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_PAIRS_H_

#include <cstdint>
#include <vector>

#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_rows.h"

namespace warpclust {

// Memory of one thread.
struct PairScratch {
  PairScratch(int num_dimensions, int num_tiles)
      : columns(static_cast<size_t>(num_dimensions) * kPanelPoints),
        keys(kPanelPoints * kPanelPoints),
        lower(num_tiles),
        upper(num_tiles) {}

  // A panel in double precision, and its number.
  std::vector<double> columns;
  int32_t columns_panel = -1;
  // Rows of a panel that are floats.
  std::vector<double> rows;
  // Keys of the panels last given to BruteForcePairs::Keys.
  std::vector<double> keys;
  // Bounds of the scaled keys between one tile and others.
  std::vector<double> lower;
  std::vector<double> upper;
  // Distances computed, to points and to boxes.
  int64_t evaluations = 0;
};

class BruteForcePairs {
 public:
  // A radius and the view in which the filter looks for it.
  struct Radius {
    double key = 0;
    double scaled_key = 0;
    PairFilter::View view;
  };

  // The thresholds that decide the pairs of two tiles.
  struct TileThresholds {
    float reach = 0;
    float inside = 0;
    // On squared distances of rows.
    double sum_reach = 0;
    double sum_inside = 0;
  };

  // The rows of `points` must outlive this. `first_part` and `known` are those
  // of PairFilter.
  BruteForcePairs(PointRows points, Norm norm, int num_threads,
                  int32_t first_part = 0, const KnownPoints& known = {});

  const PairFilter& filter() const { return filter_; }
  int32_t num_tiles() const { return filter_.num_tiles(); }
  // Panels of a tile are [FirstPanel(t), FirstPanel(t + 1)), positions of a
  // panel [32 p, 32 p + PanelSize(p)).
  int32_t FirstPanel(int32_t tile) const;
  int PanelSize(int32_t panel) const;

  Radius MakeRadius(double radius_key) const;
  // Returns the view for pairs whose scaled key may be at most -2 times the
  // half bound of the point of larger rank. Arrays are by position.
  PairFilter::View ViewForBounds(const std::vector<float>& half_bounds,
                                 const std::vector<int32_t>& ranks) const;

  // Sets lower[i] and upper[i] to bounds of the scaled keys between the points
  // of `tile` and those of tile begin + i, for the tiles [begin, end).
  void BoundTiles(int32_t tile, int32_t begin, int32_t end, double* lower,
                  double* upper) const;

  TileThresholds Thresholds(const Radius& radius, int32_t row_tile,
                            int32_t column_tile) const;

  // Computes the exact keys of all pairs of two panels. Keys of rows or columns
  // beyond a panel's size are meaningless.
  void Keys(int32_t row_panel, int32_t column_panel,
            const PairTileKernels& kernels, PairScratch* scratch) const;
  double Key(int32_t position, int32_t other,
             const PairTileKernels& kernels) const;

 private:
  PairFilter::View ChooseView(double scaled_key,
                              const std::vector<float>& half_bounds,
                              const std::vector<int32_t>& ranks) const;
  void FillBoxes();
  const double* RowAt(int32_t position, double* room) const {
    return filter_.points().Row(filter_.order()[position], room);
  }

  const Norm norm_;
  PairFilter filter_;
  // Boxes of the tiles in double precision where the filter is not usable:
  // low[k] of tile t is at [2 t d + k], high[k] at [(2 t + 1) d + k].
  std::vector<double> boxes_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_PAIRS_H_
