// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/pair_filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/machine/resize_vector.h"
#include "vptree/brute_force/compact_order.h"
#include "vptree/brute_force/rounded_row.h"

namespace warpclust {
namespace {

constexpr double kDoubleUnit = std::numeric_limits<double>::epsilon() / 2;
// The error bounds are proved up to this number of dimensions
// (pair_filter_errors.cc).
constexpr int32_t kMostDimensions = 100000;
constexpr double kSmallestCoordinate = 0x1p-400;
constexpr int kBoxDimensions = 64;
constexpr int kScaleParts = 16;

}  // namespace

PairFilter::PairFilter(PointRows points, Norm norm, int num_threads,
                       int32_t first_part, const KnownPoints& known)
    : points_(std::move(points)), norm_(norm) {
  const int32_t n = num_points();
  const int32_t d = num_dimensions();
  num_panels_ = (n + kPanelPoints - 1) / kPanelPoints;
  num_tiles_ = (num_panels_ + kFilterTilePanels - 1) / kFilterTilePanels;
  if (n == 0) return;
  tile_errors_.resize(num_tiles_);
  if (TakeAxes(known, num_threads)) {
    FillProjected(known, num_threads, first_part);
    return;
  }
  Scale(num_threads);
  usable_ = norm == Norm::kL2 && largest_ >= kSmallestCoordinate &&
            d <= kMostDimensions;
  if (usable_ && FindAxes(num_threads)) {
    FillProjected({}, num_threads, first_part);
  } else {
    FillPlain(num_threads, first_part);
  }
}

void PairFilter::Scale(int num_threads) {
  const int32_t n = num_points();
  const int32_t d = num_dimensions();
  center_.assign(d, 0);
  spread_.assign(d, 0);
  // TakeAxes may have set them in vain.
  largest_ = 0;
  scale_ = 1;
  std::vector<std::vector<double>> sums(kScaleParts, std::vector<double>(d));
  std::vector<std::vector<double>> most = sums;
  // Adds each row to the sums of its part, by add(row, part), and these to
  // `total`: in one order, whatever the number of threads.
  const auto add_rows = [&](std::vector<double>* total, const auto& add) {
#pragma omp parallel for num_threads(num_threads) schedule(static)
    for (int64_t part = 0; part < kScaleParts; ++part) {
      std::vector<double> room(d);
      const int64_t end = n * (part + 1) / kScaleParts;
      for (int64_t i = n * part / kScaleParts; i < end; ++i) {
        add(points_.Row(static_cast<int32_t>(i), room.data()), part);
      }
    }
    for (std::vector<double>& part : sums) {
      for (int32_t k = 0; k < d; ++k) {
        (*total)[k] += part[k];
        part[k] = 0;
      }
    }
  };
  add_rows(&center_, [&](const double* row, int64_t part) {
    for (int32_t k = 0; k < d; ++k) sums[part][k] += row[k];
  });
  for (double& center : center_) center /= n;
  add_rows(&spread_, [&](const double* row, int64_t part) {
    for (int32_t k = 0; k < d; ++k) {
      const double magnitude = std::fabs(row[k] - center_[k]);
      sums[part][k] += magnitude;
      most[part][k] = std::max(most[part][k], magnitude);
    }
  });
  for (const std::vector<double>& part : most) {
    largest_ = std::max(largest_, *std::max_element(part.begin(), part.end()));
  }
  if (largest_ == 0) return;
  // |z|^2 <= d largest^2 scale^2 <= 1.
  const int root = static_cast<int>(std::ceil(std::log2(d) / 2));
  const int exponent = -(std::ilogb(largest_) + 1) - root;
  scale_ = std::ldexp(1.0, std::clamp(exponent, -1000, 1000));
}

void PairFilter::Centered(int32_t point, double* z) const {
  const double* const row = points_.Row(point, z);
  const double* const center = center_.data();
  const int32_t d = num_dimensions();
#pragma omp simd
  for (int32_t k = 0; k < d; ++k) z[k] = (row[k] - center[k]) * scale_;
}

void PairFilter::SetPosition(int32_t position, const float* values, int count,
                             int stored_dimensions, float* panels) const {
  float* panel = panels + static_cast<int64_t>(position / kPanelPoints) *
                              stored_dimensions * kPanelPoints;
  for (int k = 0; k < count; ++k) {
    panel[k * kPanelPoints + position % kPanelPoints] = values[k];
  }
}

void PairFilter::FillPlain(int num_threads, int32_t first_part) {
  const int32_t n = num_points();
  const int32_t d = num_dimensions();
  const int width = std::min(d, kOrderDimensions);
  std::vector<int32_t> by_spread(d);
  std::iota(by_spread.begin(), by_spread.end(), 0);
  std::partial_sort(by_spread.begin(), by_spread.begin() + width,
                    by_spread.end(), [&](int32_t a, int32_t b) {
                      return spread_[a] > spread_[b] ||
                             (spread_[a] == spread_[b] && a < b);
                    });
  std::vector<float> keys(static_cast<size_t>(n) * width);
  std::vector<double> room(d);
  for (int32_t i = 0; i < n; ++i) {
    const double* row = points_.Row(i, room.data());
    for (int k = 0; k < width; ++k) {
      keys[static_cast<int64_t>(i) * width + k] = static_cast<float>(
          (row[by_spread[k]] - center_[by_spread[k]]) * scale_);
    }
  }
  order_ =
      CompactOrder(keys, n, width, kPanelPoints, kFilterTilePoints, first_part);
  if (!usable_) {
    // For TileDistances.
    AlignedVector<float> panels(static_cast<size_t>(num_panels_) *
                                kPanelPoints * width);
    for (int32_t i = 0; i < n; ++i) {
      SetPosition(i, keys.data() + static_cast<int64_t>(order_[i]) * width,
                  width, width, panels.data());
    }
    boxes_.Fill(panels.data(), n, width, width);
    return;
  }
  keys = {};

  stored_dimensions_ = d;
  ResizeVector(static_cast<int64_t>(num_panels_) * kPanelPoints * d,
               num_threads, &values_);
  minus_halves_.resize(static_cast<size_t>(num_panels_) * kPanelPoints);
#pragma omp parallel num_threads(num_threads)
  {
    std::vector<double> z(d);
    std::vector<float> p(d);
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
        Centered(order_[i], z.data());
        double squares;
        double rounding;
        RoundToFloat(z.data(), d, p.data(), &squares, &rounding);
        SetPosition(i, p.data(), d, d, values_.data());
        minus_halves_.data()[i] = -static_cast<float>(squares / 2);
        error.norm = std::max(error.norm, std::sqrt(squares));
        error.rounding = std::max(error.rounding, std::sqrt(rounding));
      }
      error.norm = error.norm * (1 + 2e-7) + 1e-15;
      // Includes the rounding of z itself.
      error.rounding =
          error.rounding * (1 + 1e-6) + 4 * kDoubleUnit * error.norm + 1e-20;
      error.axes = error.rounding;
      error.left_out = error.rounding;
      tile_errors_[tile] = error;
    }
  }
  boxes_are_complete_ = d <= kBoxDimensions;
  boxes_.Fill(values_.data(), n, d, std::min(d, kBoxDimensions));
}

PairFilter::View PairFilter::GetView(int view) const {
  View result;
  if (view < static_cast<int>(axis_counts_.size())) {
    result.num_dimensions = axis_counts_[view];
    result.stored_dimensions = stored_dimensions_;
    result.values = values_.data();
    result.residuals = residuals_[view].data();
    return result;
  }
  const int32_t d = num_dimensions();
  result.num_dimensions = d;
  result.stored_dimensions = d;
  result.whole = true;
  if (axis_counts_.empty()) {
    result.values = values_.data();
    return result;
  }
  std::call_once(whole_once_, [&] {
    whole_.resize(static_cast<size_t>(num_panels_) * kPanelPoints * d);
    std::vector<double> z(d);
    std::vector<float> rounded(d);
    for (int32_t i = 0; i < num_points(); ++i) {
      Centered(order_[i], z.data());
      std::transform(z.begin(), z.end(), rounded.begin(), ToFloat);
      SetPosition(i, rounded.data(), d, d, whole_.data());
    }
  });
  result.values = whole_.data();
  return result;
}

FilterPanel PairFilter::Panel(const View& view, int panel) const {
  const int64_t first = static_cast<int64_t>(panel) * kPanelPoints;
  FilterPanel result;
  result.values = view.values + first * view.stored_dimensions;
  result.minus_halves = minus_halves_.data() + first;
  result.residuals =
      view.residuals == nullptr ? nullptr : view.residuals + first;
  return result;
}

}  // namespace warpclust
