// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of PairFilter by principal axes.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/machine/resize_vector.h"
#include "vptree/brute_force/compact_order.h"
#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/rounded_row.h"

namespace warpclust {
namespace {

constexpr double kDoubleUnit = std::numeric_limits<double>::epsilon() / 2;
constexpr int kAxisCounts[] = {8, 16, 32, 64};
constexpr int kBlockRows = 64;

float UpToFloat(double x) {
  return std::nextafter(static_cast<float>(x),
                        std::numeric_limits<float>::infinity());
}

}  // namespace

void PairFilter::FillProjected(const std::vector<double>& axes,
                               double deviation, int num_threads,
                               int32_t first_part) {
  constexpr int kAxes = kProjectedDimensions;
  const int32_t n = num_points();
  const int32_t d = num_dimensions();
  const PairTileKernels& kernels = PairTileKernelsFor(CpuSimdLevel());
  deviation_ = deviation;
  axis_counts_.assign(std::begin(kAxisCounts), std::end(kAxisCounts));
  stored_dimensions_ = kAxes;
  row_length_ = (d + 15) / 16 * 16;

  std::vector<float> projected(static_cast<size_t>(n) * kAxes);
  // |V z - p|^2 of each point.
  std::vector<double> axis_squares(n);
#pragma omp parallel num_threads(num_threads)
  {
    std::vector<double> z(static_cast<size_t>(kBlockRows) * d);
    std::vector<double> products(kBlockRows * kAxes);
#pragma omp for schedule(static)
    for (int32_t begin = 0; begin < n; begin += kBlockRows) {
      const int count = std::min(kBlockRows, n - begin);
      for (int r = 0; r < count; ++r) {
        Centered(begin + r, z.data() + static_cast<int64_t>(r) * d);
      }
      kernels.project(z.data(), count, d, axes.data(), products.data());
      for (int r = 0; r < count; ++r) {
        float* p = projected.data() + static_cast<int64_t>(begin + r) * kAxes;
        double squares = 0;
        for (int a = 0; a < kAxes; ++a) {
          const double product = products[r * kAxes + a];
          p[a] = ToFloat(product);
          squares += (product - p[a]) * (product - p[a]);
        }
        axis_squares[begin + r] = squares;
      }
    }
  }

  std::vector<float> keys(static_cast<size_t>(n) * kOrderDimensions);
  for (int32_t i = 0; i < n; ++i) {
    std::copy_n(projected.data() + static_cast<int64_t>(i) * kAxes,
                kOrderDimensions,
                keys.data() + static_cast<int64_t>(i) * kOrderDimensions);
  }
  order_ = CompactOrder(keys, n, kOrderDimensions, kPanelPoints,
                        kFilterTilePoints, first_part);
  keys = {};

  const int64_t padded = static_cast<int64_t>(num_panels_) * kPanelPoints;
  ResizeVector(padded * kAxes, num_threads, &values_);
  minus_halves_.resize(padded);
  residuals_.resize(axis_counts_.size());
  for (AlignedVector<float>& residuals : residuals_) residuals.resize(padded);
  ResizeVector(padded * row_length_, num_threads, &rows_);
#pragma omp parallel num_threads(num_threads)
  {
    std::vector<double> z(d);
#pragma omp for schedule(static)
    for (int32_t tile = 0; tile < num_tiles_; ++tile) {
      TileError error;
      for (int32_t i = tile * kFilterTilePoints;
           i < (tile + 1) * kFilterTilePoints; ++i) {
        if (i >= num_panels_ * kPanelPoints) break;
        if (i >= n) {
          minus_halves_.data()[i] = -std::numeric_limits<float>::infinity();
          continue;
        }
        const int32_t point = order_[i];
        const float* p = projected.data() + static_cast<int64_t>(point) * kAxes;
        float* row = rows_.data() + static_cast<int64_t>(i) * row_length_;
        Centered(point, z.data());
        double squares;
        double rounding;
        RoundToFloat(z.data(), d, row, &squares, &rounding);
        SetPosition(i, p, kAxes, kAxes, values_.data());
        minus_halves_.data()[i] = -static_cast<float>(squares / 2);
        // |p| <= (1 + deviation) |z|, plus a rounding.
        const double norm =
            std::sqrt(squares) * (1 + 2e-7 + deviation_) + 1e-15;
        // Computed products are wrong by at most (d + 3) units of |z| an axis
        // of norm below 1.01, 64 of them by 8 times that.
        const double axis_error = std::sqrt(axis_squares[point]) * (1 + 1e-6) +
                                  (9.0 * (d + 8) * kDoubleUnit) * norm +
                                  deviation_ * norm + 1e-20;
        const double slack = deviation_ * norm * norm + 2 * norm * axis_error +
                             2 * (d + kAxes + 8) * kDoubleUnit * norm * norm;
        double left = squares;
        int a = 0;
        for (size_t view = 0; view < axis_counts_.size(); ++view) {
          for (; a < axis_counts_[view]; ++a) {
            left -= static_cast<double>(p[a]) * p[a];
          }
          residuals_[view].data()[i] =
              UpToFloat(std::sqrt(std::max(0.0, left) + slack));
        }
        error.norm = std::max(error.norm, norm);
        error.axes = std::max(error.axes, axis_error);
        error.rounding =
            std::max(error.rounding, std::sqrt(rounding) * (1 + 1e-6) +
                                         4 * kDoubleUnit * norm + 1e-20);
        error.left_out = std::max(
            error.left_out, static_cast<double>(residuals_.back().data()[i]));
      }
      tile_errors_[tile] = error;
    }
  }
  boxes_are_complete_ = true;
  boxes_.Fill(values_.data(), n, kAxes, kAxes);
}

}  // namespace warpclust
