// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of PairFilter by principal axes.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/machine/resize_vector.h"
#include "vptree/brute_force/compact_order.h"
#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/principal_axes.h"
#include "vptree/brute_force/rounded_row.h"
#include "vptree/points/byte_grid.h"

namespace warpclust {
namespace {

constexpr double kDoubleUnit = std::numeric_limits<double>::epsilon() / 2;
// Principal axes pay from this number of dimensions on, if they capture this
// share of the variance.
constexpr int32_t kFewestDimensionsForAxes = 65;
constexpr double kLeastCaptured = 0.5;
// Those of another filter suit points of which they leave out at most
// kMostLeftOut times as large a share as of its own, and kSlackLeftOut.
constexpr double kMostLeftOut = 1.25;
constexpr double kSlackLeftOut = 0.01;
constexpr int kSampleRows = 1024;
constexpr int kAxes = kProjectedDimensions;
constexpr int kAxisCounts[] = {8, 16, 32, 64};
constexpr int kBlockRows = 64;

float UpToFloat(double x) {
  return std::nextafter(static_cast<float>(x),
                        std::numeric_limits<float>::infinity());
}

struct PointRange {
  int32_t begin = 0;
  int32_t end = 0;
};

// Those that are not known.
PointRange UnknownPoints(const KnownPoints& known, int32_t num_points) {
  const int32_t num_others = num_points - known.count;
  return known.are_last ? PointRange{0, num_others}
                        : PointRange{known.count, num_points};
}

auto RowsOf(const PointRows& points) {
  return [&points](int32_t point, double* room) {
    return points.Row(point, room);
  };
}

}  // namespace

// Some of the points [begin, end), centered, row-major.
std::vector<double> PairFilter::CenteredSample(int32_t begin,
                                               int32_t end) const {
  const int num_rows = std::min<int32_t>(end - begin, kSampleRows);
  std::vector<double> sample(static_cast<size_t>(num_rows) * num_dimensions());
  for (int r = 0; r < num_rows; ++r) {
    Centered(
        static_cast<int32_t>(begin + int64_t{r} * (end - begin) / num_rows),
        sample.data() + static_cast<int64_t>(r) * num_dimensions());
  }
  return sample;
}

// Returns whether principal axes pay.
bool PairFilter::FindAxes(int num_threads) {
  const int32_t d = num_dimensions();
  if (d < kFewestDimensionsForAxes) return false;
  const std::vector<double> sample = CenteredSample(0, num_points());
  axes_ = FindPrincipalAxes(sample, static_cast<int>(sample.size() / d), d,
                            PairTileKernelsFor(CpuSimdLevel()), num_threads);
  return axes_.captured >= kLeastCaptured;
}

// The largest centered coordinate of the points [begin, end).
double PairFilter::LargestOf(int32_t begin, int32_t end,
                             int num_threads) const {
  const int32_t d = num_dimensions();
  double largest = 0;
#pragma omp parallel num_threads(num_threads) reduction(max : largest)
  {
    std::vector<double> room(d);
#pragma omp for schedule(static)
    for (int32_t i = begin; i < end; ++i) {
      const double* row = points_.Row(i, room.data());
      for (int32_t k = 0; k < d; ++k) {
        largest = std::max(largest, std::fabs(row[k] - center_[k]));
      }
    }
  }
  return largest;
}

// Takes over center, scale and axes, and returns whether they suit the points
// that are not known: |z| must be at most 1, as it is if all centered
// coordinates are below the power of two that the scale was chosen for. Rows
// must be of one kind.
bool PairFilter::TakeAxes(const KnownPoints& known, int num_threads) {
  const PairFilter* const from = known.filter;
  if (from == nullptr || from->axis_counts_.empty()) return false;
  center_ = from->center_;
  scale_ = from->scale_;
  largest_ = from->largest_;
  const int32_t d = num_dimensions();
  const auto [begin, end] = UnknownPoints(known, num_points());
  const auto fits = [&](double largest) {
    return largest == 0 || std::ilogb(largest) <= std::ilogb(largest_);
  };
  const std::optional<ByteGrid>& grid = from->rows_.grid();
  const bool are_packed = grid.has_value() && points_.HasBytesOn(*grid) &&
                          points_.ArePacked(begin, end);
  if (!(are_packed && fits(grid->Largest(center_))) &&
      !fits(LargestOf(begin, end, num_threads))) {
    return false;
  }
  if (grid.has_value() && !are_packed &&
      !grid->Holds(begin, end, RowsOf(points_), num_threads)) {
    return false;
  }
  const std::vector<double> sample = CenteredSample(begin, end);
  const double captured = ShareAlongAxes(
      sample, static_cast<int>(sample.size() / d), d, from->axes_.axes,
      PairTileKernelsFor(CpuSimdLevel()), num_threads);
  if (1 - captured >
      kMostLeftOut * (1 - from->axes_.captured) + kSlackLeftOut) {
    return false;
  }
  axes_ = from->axes_;
  usable_ = true;
  return true;
}

void PairFilter::FillProjected(const KnownPoints& known, int num_threads,
                               int32_t first_part) {
  const int32_t n = num_points();
  axis_counts_.assign(std::begin(kAxisCounts), std::end(kAxisCounts));
  stored_dimensions_ = kAxes;
  rows_ = PairFilterRows(
      num_dimensions(), scale_,
      known.filter != nullptr
          ? known.filter->rows_.grid()
          : ByteGrid::Find(n, num_dimensions(), RowsOf(points_), num_threads));
  const Projected projected = Project(known, num_threads);

  std::vector<float> keys(static_cast<size_t>(n) * kOrderDimensions);
  for (int32_t i = 0; i < n; ++i) {
    CopyAlong(projected, known.filter, i, kOrderDimensions,
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
  ReserveRows(projected, known.filter, num_threads);
#pragma omp parallel num_threads(num_threads)
  {
    std::vector<double> z(num_dimensions());
    std::vector<float> room(num_dimensions());
#pragma omp for schedule(static)
    for (int32_t tile = 0; tile < num_tiles_; ++tile) {
      TileError error;
      for (int32_t i = tile * kFilterTilePoints;
           i < (tile + 1) * kFilterTilePoints; ++i) {
        if (i >= padded) break;
        if (i >= n) {
          minus_halves_.data()[i] = -std::numeric_limits<float>::infinity();
          continue;
        }
        const int32_t point = order_[i];
        float p[kAxes];
        CopyAlong(projected, known.filter, point, kAxes, p);
        SetPosition(i, p, kAxes, kAxes, values_.data());
        const int32_t at = projected.known_at[point];
        error.Include(
            at >= 0 ? SetKnown(*known.filter, at, i)
                    : SetProjected(
                          projected.squared_errors[point - projected.first], p,
                          i, z.data(), room.data()));
      }
      tile_errors_[tile] = error;
    }
  }
  boxes_are_complete_ = true;
  boxes_.Fill(values_.data(), n, kAxes, kAxes);
}

PairFilter::Projected PairFilter::Project(const KnownPoints& known,
                                          int num_threads) const {
  const int32_t n = num_points();
  const int32_t d = num_dimensions();
  const PairTileKernels& kernels = PairTileKernelsFor(CpuSimdLevel());
  const PointRange others = UnknownPoints(known, n);
  Projected result;
  result.first = others.begin;
  result.values.resize(static_cast<size_t>(others.end - others.begin) * kAxes);
  result.squared_errors.resize(others.end - others.begin);
  result.known_at.assign(n, -1);
#pragma omp parallel num_threads(num_threads)
  {
    std::vector<double> z(static_cast<size_t>(kBlockRows) * d);
    std::vector<double> products(kBlockRows * kAxes);
#pragma omp for schedule(static)
    for (int32_t begin = others.begin; begin < others.end;
         begin += kBlockRows) {
      const int count = std::min(kBlockRows, others.end - begin);
      for (int r = 0; r < count; ++r) {
        Centered(begin + r, z.data() + static_cast<int64_t>(r) * d);
      }
      kernels.project(z.data(), count, d, axes_.axes.data(), products.data());
      for (int r = 0; r < count; ++r) {
        const int64_t place = begin + r - others.begin;
        float* p = result.values.data() + place * kAxes;
        double squares = 0;
        for (int a = 0; a < kAxes; ++a) {
          const double product = products[r * kAxes + a];
          p[a] = ToFloat(product);
          squares += (product - p[a]) * (product - p[a]);
        }
        result.squared_errors[place] = squares;
      }
    }
  }
  if (known.filter == nullptr) return result;
  const PairFilter& from = *known.filter;
  const int32_t shift = (known.are_last ? n - known.count : 0) - known.first;
  for (int32_t at = 0; at < from.num_points(); ++at) {
    const int32_t there = from.order_[at];
    if (there < known.first || there >= known.first + known.count) continue;
    result.known_at[there + shift] = at;
  }
  return result;
}

void PairFilter::CopyAlong(const Projected& projected, const PairFilter* known,
                           int32_t point, int count, float* p) {
  const int32_t at = projected.known_at[point];
  if (at < 0) {
    const int64_t place = point - projected.first;
    std::copy_n(projected.values.data() + place * kAxes, count, p);
    return;
  }
  const float* const values = known->ValuesAt(at);
  for (int a = 0; a < count; ++a) p[a] = values[a * kPanelPoints];
}

// Rows of known points stay where they are, and so do packed bytes.
void PairFilter::ReserveRows(const Projected& projected,
                             const PairFilter* known, int num_threads) {
  const std::optional<ByteGrid>& grid = rows_.grid();
  const bool takes_bytes = grid.has_value() && points_.HasBytesOn(*grid);
  const auto elsewhere = [&](int32_t point) -> const uint8_t* {
    const int32_t at = projected.known_at[point];
    if (at >= 0) return known->rows_.Row(at);
    return takes_bytes ? points_.Bytes(point) : nullptr;
  };
  int32_t num_own = 0;
  for (const int32_t point : order_) {
    num_own += elsewhere(point) == nullptr ? 1 : 0;
  }
  rows_.Reserve(num_own, num_points(), num_threads);
  for (const int32_t point : order_) rows_.Add(elsewhere(point));
}

PairFilter::TileError PairFilter::SetProjected(double squared_error,
                                               const float* p, int32_t position,
                                               double* z, float* room) {
  const int32_t d = num_dimensions();
  const int32_t point = order_[position];
  const bool by_bytes = rows_.grid().has_value();
  Centered(point, z);
  double squares;
  double rounding;
  RoundToFloat(z, d, by_bytes ? room : rows_.Floats(position), &squares,
               &rounding);
  if (by_bytes && rows_.IsOwn(position)) {
    rows_.SetBytes(position, points_.Row(point, z));
  }
  minus_halves_.data()[position] = -static_cast<float>(squares / 2);
  // |p| <= (1 + deviation) |z|, plus a rounding.
  const double deviation = axes_.deviation;
  const double norm = std::sqrt(squares) * (1 + 2e-7 + deviation) + 1e-15;
  // Computed products are wrong by at most (d + 3) units of |z| an axis of norm
  // below 1.01, 64 of them by 8 times that.
  const double axis_error = std::sqrt(squared_error) * (1 + 1e-6) +
                            (9.0 * (d + 8) * kDoubleUnit) * norm +
                            deviation * norm + 1e-20;
  const double slack = deviation * norm * norm + 2 * norm * axis_error +
                       2 * (d + kAxes + 8) * kDoubleUnit * norm * norm;
  double left = squares;
  int a = 0;
  for (size_t view = 0; view < axis_counts_.size(); ++view) {
    for (; a < axis_counts_[view]; ++a) {
      left -= static_cast<double>(p[a]) * p[a];
    }
    residuals_[view].data()[position] =
        UpToFloat(std::sqrt(std::max(0.0, left) + slack));
  }
  TileError error;
  error.norm = norm;
  error.axes = axis_error;
  error.rounding =
      std::sqrt(rounding) * (1 + 1e-6) + 4 * kDoubleUnit * norm + 1e-20;
  error.left_out = residuals_.back().data()[position];
  return error;
}

// The errors of the tile there hold for each of its points.
PairFilter::TileError PairFilter::SetKnown(const PairFilter& known, int32_t at,
                                           int32_t position) {
  minus_halves_.data()[position] = known.minus_halves_.data()[at];
  for (size_t view = 0; view < residuals_.size(); ++view) {
    residuals_[view].data()[position] = known.residuals_[view].data()[at];
  }
  return known.tile_errors_[at / kFilterTilePoints];
}

}  // namespace warpclust
