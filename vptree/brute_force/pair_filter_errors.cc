// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The error of the filter.
//
// Exact values: z = scale (x - center) of a point, |z| its norm, at most 1; the
// center is its rounded value, because it cancels. p: the m floats that
// represent z. V: m axes as rows, G = V V^T = I + E with |E| <= deviation (V =
// I, m = d without principal axes). Define
//
//   r = z - V^T p       what p leaves out;  q >= |r|
//   V r = V z - G p     nearly zero;        t >= |V r|
//
// Then, exactly, <z, z'> = p^T G p' + p . V r' + p' . V r + r . r', so
//
//   | <z, z'> - p . p' |  <=  deviation |p| |p'| + |p| t' + |p'| t + q q'.
//
// FilterPanel::residuals are the q of the last term. Without axes, r is a
// rounding error, V r = r, and t t' replaces q q'. The same with p' = p gives
// q^2 <= |z|^2 - |p|^2 + deviation |p|^2 + 2 |p| t. All of this also holds for
// the first m of 64 axes with the t of all 64.
//
// The kernels add -h(z) - h(z'), where h is |z|^2 / 2 rounded to float, and the
// m products (and up to three times q q') in at most m + 10 roundings a term,
// so with u = 2^-24 and N >= |z|, |p| their error is at most 1.01 (m + 10) u
// times the sum of the magnitudes, which is at most N^2 + N'^2 (2.5 (N^2 +
// N'^2) with the q). (m + 10) u <= 0.01 because m <= kMostDimensions. What
// underflow takes is below (m + 10) 2^-149.
//
// The key as it is computed in double (distance_key.h) is the exact one times 1
// + e, |e| <= 1.01 (d + 2) 2^-53; underflow takes less than d 2^-1074, which is
// below 1e-60 of the scaled key, as the largest coordinate that the scale was
// chosen for is at least kSmallestCoordinate.
//
// Center, scale and axes may be those of another filter: all that is asked is
// |z| <= 1. The errors of a known point's tile there are bounds for the point.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/tile_boxes.h"

namespace warpclust {
namespace {

constexpr double kFloatUnit = 1.0 / (1 << 24);
constexpr double kDoubleUnit = std::numeric_limits<double>::epsilon() / 2;

}  // namespace

double PairFilter::HalfKeyError(const View& view, int row_tile,
                                int column_tile) const {
  const TileError& a = tile_errors_[row_tile];
  const TileError& b = tile_errors_[column_tile];
  const int m = view.num_dimensions;
  const double squares = a.norm * a.norm + b.norm * b.norm;
  const double magnitudes = (view.whole ? 1.1 : 2.5) * squares;
  double error = 1.01 * (m + 10) * (kFloatUnit * magnitudes + 1e-44);
  const double a_axes = view.whole ? a.rounding : a.axes;
  const double b_axes = view.whole ? b.rounding : b.axes;
  error += a.norm * b_axes + b.norm * a_axes + a_axes * b_axes;
  if (!view.whole) error += axes_.deviation * a.norm * b.norm;
  // Half the key: half of (|z| + |z'|)^2 <= squares.
  error += KeyShare() * squares + 1e-60;
  return 1.02 * error;
}

PairFilter::TilePairErrors PairFilter::PairErrors(const View& view,
                                                  int row_tile,
                                                  int column_tile) const {
  TilePairErrors errors;
  if (!usable()) return errors;
  errors.bias = std::nextafter(
      static_cast<float>(HalfKeyError(view, row_tile, column_tile)),
      std::numeric_limits<float>::infinity());
  if (has_rows()) errors.root = RootError(row_tile, column_tile);
  return errors;
}

double PairFilter::KeyShare() const {
  return 1.02 * (num_dimensions() + 4) * kDoubleUnit;
}

double PairFilter::RootShare() const {
  return (rows_.length() + 8) * kFloatUnit;
}

// With z - z' = V^T (p - p') + r - r': |V (z - z')| <= sqrt(1 + deviation)
// |z - z'|, and V (z - z') = G (p - p') + V r - V r', so
//   |z - z'| >= ((1 - deviation) |p - p'| - t - t') / (1 + deviation)
//   |z - z'| <= (1 + deviation) |p - p'| + q + q'.
// Boxes have up to 64 dimensions, and their sums are in double: 1e-12 is more
// than their roundings.
double PairFilter::LowerKey(double gap_squares, int tile, int other) const {
  const double gap =
      std::sqrt(gap_squares) * (1 - 3 * axes_.deviation - 1e-12) -
      tile_errors_[tile].axes - tile_errors_[other].axes;
  return gap > 0 ? gap * gap * (1 - 1e-12 - KeyShare()) - 1e-60 : 0.0;
}

double PairFilter::UpperKey(double reach_squares, int tile, int other) const {
  if (!boxes_are_complete_) return std::numeric_limits<double>::infinity();
  const double reach =
      std::sqrt(reach_squares) * (1 + axes_.deviation + 1e-12) +
      tile_errors_[tile].left_out + tile_errors_[other].left_out;
  return reach * reach * (1 + 1e-12 + KeyShare()) + 1e-60;
}

void PairFilter::TileBounds(int tile, int begin, int end, double* lower,
                            double* upper) const {
  boxes_.GapsAndReaches(tile, begin, end, lower, upper);
  for (int i = 0; i < end - begin; ++i) {
    lower[i] = LowerKey(lower[i], tile, begin + i);
    upper[i] = UpperKey(upper[i], tile, begin + i);
  }
}

double PairFilter::PointBound(int position, int tile) const {
  return LowerKey(boxes_.PointGap(ValuesAt(position), kPanelPoints, tile),
                  position / kFilterTilePoints, tile);
}

float PairFilter::HalfBound(double key) const {
  constexpr float kLowest = std::numeric_limits<float>::lowest();
  const double half = -ScaledKey(key) / 2;
  float bound = static_cast<float>(half);
  if (bound > half) bound = std::nextafter(bound, kLowest);
  return std::max(bound, kLowest);
}

bool PairFilter::TooFar(float sum, double root_error, float half_bound) const {
  const double root =
      std::sqrt(static_cast<double>(sum)) * (1 - RootShare()) - root_error;
  return root > 0 && root * root * (1 - KeyShare()) * (1 - 1e-12) - 1e-60 >
                         -2.0 * half_bound;
}

}  // namespace warpclust
