// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PairFilter: the single-precision side of brute force. It orders the points so
// that neighbors in memory are near each other, packs them into panels of 32
// and tiles of 128, and bounds the error of what it says about a pair (proofs:
// pair_filter_errors.cc).
//
//   few dimensions    the coordinates, centered and scaled
//   many, Euclidean   the coordinates along 64 principal axes, best first, with
//                     the residual norm. A search uses as many of the 64 as
//                     pay. The centered coordinates, or for images their bytes,
//                     decide the pairs that those leave undecided one by one
//                     (pair_filter_rows.h), or all pairs at once where the axes
//                     decide little.
//   other norms, tiny coordinates
//                     no filter (usable() is false), only the order
//
// A position is a place in the order. Distances here are scaled: those of z =
// scale * (x - center), whose norms are at most 1. scale is a power of two.
//
// Memory: n floats per coordinate, or n * (64 + dimensions) floats, for images
// a quarter of the latter, plus n * dimensions once the whole view is used.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_FILTER_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_FILTER_H_

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/machine/aligned_buffer.h"
#include "vptree/brute_force/pair_filter_rows.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/principal_axes.h"
#include "vptree/brute_force/tile_boxes.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_rows.h"

namespace warpclust {

class PairFilter;

// Points that another filter has, too, of the same norm and with the same
// coordinates: those from `first` on there are the first or the last `count`
// points here.
struct KnownPoints {
  const PairFilter* filter = nullptr;
  int32_t first = 0;
  int32_t count = 0;
  bool are_last = false;
};

class PairFilter {
 public:
  // Bounds of the errors of a tile: each is the largest over its points.
  struct TileError {
    double norm = 0;      // Of z and of what stands for it.
    double axes = 0;      // t in pair_filter_errors.cc.
    double rounding = 0;  // Of z to float, all coordinates.
    double left_out = 0;  // Residual norm after the 64 axes.

    void Include(const TileError& other) {
      norm = std::max(norm, other.norm);
      axes = std::max(axes, other.axes);
      rounding = std::max(rounding, other.rounding);
      left_out = std::max(left_out, other.left_out);
    }
  };

  // A way to look at the points, for all positions.
  struct View {
    int num_dimensions = 0;
    const float* values = nullptr;
    const float* residuals = nullptr;  // As in FilterPanel.
    bool whole = false;                // No principal axes.
    int stored_dimensions = 0;
  };

  // The rows of `points` must outlive the filter. The first `first_part` points
  // stay before the others in the order. If the principal axes of
  // `known.filter`, which then must outlive this one, suit the other points,
  // they stay, and so does what is known of its points.
  PairFilter(PointRows points, Norm norm, int num_threads,
             int32_t first_part = 0, const KnownPoints& known = {});

  const PointRows& points() const { return points_; }
  int32_t num_points() const { return points_.num_points(); }
  int32_t num_dimensions() const { return points_.num_dimensions(); }
  int32_t num_panels() const { return num_panels_; }
  int32_t num_tiles() const { return num_tiles_; }
  // The point at each position.
  const std::vector<int32_t>& order() const { return order_; }

  bool usable() const { return usable_; }
  // key * scale^2; the key itself if not usable().
  double ScaledKey(double key) const {
    return usable_ ? key * scale_ * scale_ : key;
  }

  // The views, cheapest first; the last one is whole. With principal axes, the
  // whole view is packed when it is first used.
  int num_views() const { return static_cast<int>(axis_counts_.size()) + 1; }
  View GetView(int view) const;
  FilterPanel Panel(const View& view, int panel) const;

  // Returns a bound of the difference between s (pair_tile_kernels.h), with the
  // residuals' part taken as given, and minus half the scaled key, for pairs of
  // these tiles.
  double HalfKeyError(const View& view, int row_tile, int column_tile) const;

  // What searches for nearest points add for pairs of two tiles: to s, at least
  // HalfKeyError; and RootError. 0 where there is nothing to decide by.
  struct TilePairErrors {
    float bias = 0;
    double root = 0;
  };
  TilePairErrors PairErrors(const View& view, int row_tile,
                            int column_tile) const;

  // Sets lower[i] and upper[i] to bounds of the computed scaled keys between
  // the points of `tile` and those of tile begin + i, for the tiles [begin,
  // end).
  void TileBounds(int tile, int begin, int end, double* lower,
                  double* upper) const;
  // Returns a lower bound of the scaled keys between a point and those of a
  // tile.
  double PointBound(int position, int tile) const;
  // Estimates how far apart the tiles are, whether usable() or not, to choose
  // which to visit first.
  void TileDistances(int tile, double* distances) const {
    boxes_.MiddleDistances(tile, distances);
  }

  // With principal axes only: a row for each position, and the error of the
  // root of a squared distance between two for pairs of the tiles: the scaled
  // distance lies within root * (1 -+ RootShare()) -+ RootError().
  bool has_rows() const { return !rows_.empty(); }
  const PairFilterRows& rows() const { return rows_; }
  double RootShare() const;
  double RootError(int row_tile, int column_tile) const {
    return tile_errors_[row_tile].rounding + tile_errors_[column_tile].rounding;
  }
  // Keys are squared distances within this share. Where they may underflow,
  // usable() is false.
  double KeyShare() const;

  // Returns a bound for PairTileKernels::find_wanted: at most minus half the
  // scaled key.
  float HalfBound(double key) const;
  // Returns whether pairs with this squared distance of rows, right within
  // `root_error`, are farther apart than the key of `half_bound`.
  bool TooFar(float sum, double root_error, float half_bound) const;

 private:
  // A point of a filter by axes before it has a position.
  struct Projected {
    // The first of the points that are not known.
    int32_t first = 0;
    // Their coordinates along the axes, and |V z - p|^2.
    std::vector<float> values;
    std::vector<double> squared_errors;
    // The position of each point that is known in its filter; else -1.
    std::vector<int32_t> known_at;
  };

  void Scale(int num_threads);
  void FillPlain(int num_threads, int32_t first_part);
  std::vector<double> CenteredSample(int32_t begin, int32_t end) const;
  bool FindAxes(int num_threads);
  double LargestOf(int32_t begin, int32_t end, int num_threads) const;
  bool TakeAxes(const KnownPoints& known, int num_threads);
  void FillProjected(const KnownPoints& known, int num_threads,
                     int32_t first_part);
  Projected Project(const KnownPoints& known, int num_threads) const;
  // Copies the first `count` coordinates of a point along the axes.
  static void CopyAlong(const Projected& projected, const PairFilter* known,
                        int32_t point, int count, float* p);
  void ReserveRows(const Projected& projected, const PairFilter* known,
                   int num_threads);
  // Set what a position has besides values, and return the errors of its point.
  TileError SetProjected(double squared_error, const float* p, int32_t position,
                         double* z, float* room);
  TileError SetKnown(const PairFilter& known, int32_t at, int32_t position);
  double LowerKey(double gap_squares, int tile, int other) const;
  double UpperKey(double reach_squares, int tile, int other) const;
  void Centered(int32_t point, double* z) const;
  // Where the first coordinate of a position lies in values_: the next ones are
  // kPanelPoints apart.
  const float* ValuesAt(int32_t position) const {
    return values_.data() +
           static_cast<int64_t>(position / kPanelPoints) * stored_dimensions_ *
               kPanelPoints +
           position % kPanelPoints;
  }
  void SetPosition(int32_t position, const float* values, int count,
                   int stored_dimensions, float* panels) const;

  const PointRows points_;
  const Norm norm_;
  int32_t num_panels_ = 0;
  int32_t num_tiles_ = 0;
  bool usable_ = false;
  double scale_ = 1;
  double largest_ = 0;
  std::vector<double> center_;
  std::vector<double> spread_;
  std::vector<int32_t> order_;

  // Dimensions of the views by principal axes; empty without axes.
  std::vector<int> axis_counts_;
  int stored_dimensions_ = 0;
  PrincipalAxes axes_;
  AlignedVector<float> values_;
  AlignedVector<float> minus_halves_;
  std::vector<AlignedVector<float>> residuals_;
  std::vector<TileError> tile_errors_;

  PairFilterRows rows_;
  mutable std::once_flag whole_once_;
  mutable AlignedVector<float> whole_;

  // Boxes over as many dimensions of values_ as pay; complete over all of them.
  TileBoxes boxes_;
  bool boxes_are_complete_ = false;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_FILTER_H_
