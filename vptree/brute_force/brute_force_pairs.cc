// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/brute_force_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vptree/brute_force/tile_boxes.h"

namespace warpclust {
namespace {

// Scaled keys are at most 4, because norms are at most 1, and are known to
// 1e-60 at best. Radii outside this range are clamped to it.
constexpr double kMostScaledRadius = 16;
constexpr double kLeastScaledRadius = 1e-70;

// Cycles, for the choice of a view: of the kernel per coordinate and column, of
// an undecided pair per coordinate, and of an undecided pair besides.
constexpr double kKernelCost = 1.0 / 24;
constexpr double kKernelOverhead = 6;
constexpr double kUndecidedCost = 1.0 / 8;
constexpr double kUndecidedOverhead = 20;
constexpr int kSampledPairs = 2048;

// Return the largest float <= x and the smallest float >= x.
float DownToFloat(double x) {
  const float f = static_cast<float>(x);
  return f > x ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}
float UpToFloat(double x) {
  const float f = static_cast<float>(x);
  return f < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

// Bounds the computed keys between two boxes by the keys of the smallest and
// the largest |differences|, in which every step is monotone (distance_key.h).
template <Norm kNorm>
void BoxKeys(const double* a, const double* b, int32_t d, double* lower,
             double* upper) {
  double low = 0;
  double high = 0;
  for (int32_t k = 0; k < d; ++k) {
    const double below = a[k] - b[d + k];
    const double above = b[k] - a[d + k];
    low = AddToKey<kNorm>(low, std::max(std::max(below, above), 0.0));
    high = AddToKey<kNorm>(high, std::min(below, above));
  }
  *lower = low;
  *upper = high;
}

}  // namespace

BruteForcePairs::BruteForcePairs(PointRows points, Norm norm, int num_threads,
                                 int32_t first_part, const KnownPoints& known)
    : norm_(norm),
      filter_(std::move(points), norm, num_threads, first_part, known) {
  if (!filter_.usable()) FillBoxes();
}

void BruteForcePairs::FillBoxes() {
  const int32_t d = filter_.num_dimensions();
  boxes_.resize(static_cast<size_t>(num_tiles()) * 2 * d);
  std::vector<double> room(d);
  for (int32_t tile = 0; tile < num_tiles(); ++tile) {
    double* low = boxes_.data() + int64_t{2} * tile * d;
    double* high = low + d;
    std::fill_n(low, d, std::numeric_limits<double>::infinity());
    std::fill_n(high, d, -std::numeric_limits<double>::infinity());
    const int32_t begin = tile * kFilterTilePoints;
    const int32_t end =
        std::min(filter_.num_points(), begin + kFilterTilePoints);
    for (int32_t i = begin; i < end; ++i) {
      const double* row = RowAt(i, room.data());
      for (int32_t k = 0; k < d; ++k) {
        low[k] = std::min(low[k], row[k]);
        high[k] = std::max(high[k], row[k]);
      }
    }
  }
}

int32_t BruteForcePairs::FirstPanel(int32_t tile) const {
  return std::min(tile * kFilterTilePanels, filter_.num_panels());
}

int BruteForcePairs::PanelSize(int32_t panel) const {
  return std::min(kPanelPoints, filter_.num_points() - panel * kPanelPoints);
}

// Returns the view of least estimated cost. A sample of pairs shows how many
// are in tiles that are not skipped, and how many each view leaves undecided.
PairFilter::View BruteForcePairs::ChooseView(
    double scaled_key, const std::vector<float>& half_bounds,
    const std::vector<int32_t>& ranks) const {
  const int num_views = filter_.num_views();
  if (num_views == 1) return filter_.GetView(0);
  const bool by_bounds = !half_bounds.empty();
  const int32_t n = filter_.num_points();
  std::vector<PairFilter::View> views;
  for (int v = 0; v + 1 < num_views; ++v) views.push_back(filter_.GetView(v));
  std::vector<int> undecided(num_views);
  int open_tiles = 0;
  uint64_t state = 1;
  const auto random_position = [&state, n] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int32_t>(((state >> 32) * static_cast<uint64_t>(n)) >>
                                32);
  };
  for (int sample = 0; sample < kSampledPairs; ++sample) {
    const int32_t i = random_position();
    const int32_t j = random_position();
    if (i == j) continue;
    double lower;
    double upper;
    const int32_t j_tile = j / kFilterTilePoints;
    BoundTiles(i / kFilterTilePoints, j_tile, j_tile + 1, &lower, &upper);
    double half = -scaled_key / 2;
    if (by_bounds) half = half_bounds[ranks[i] > ranks[j] ? i : j];
    if (!by_bounds && (lower >= scaled_key || upper < scaled_key)) continue;
    ++open_tiles;
    const FilterPanel a = filter_.Panel(views[0], i / kPanelPoints);
    const FilterPanel b = filter_.Panel(views[0], j / kPanelPoints);
    const int x = i % kPanelPoints;
    const int y = j % kPanelPoints;
    double sum = static_cast<double>(a.minus_halves[x]) + b.minus_halves[y];
    int k = 0;
    for (int v = 0; v + 1 < num_views; ++v) {
      for (; k < views[v].num_dimensions; ++k) {
        sum += static_cast<double>(a.values[k * kPanelPoints + x]) *
               b.values[k * kPanelPoints + y];
      }
      const double left =
          static_cast<double>(views[v].residuals[i]) * views[v].residuals[j];
      if (sum + left >= half && (by_bounds || sum - left <= half))
        ++undecided[v];
    }
  }
  const double d = filter_.num_dimensions();
  int best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  for (int v = 0; v < num_views; ++v) {
    const bool whole = v + 1 == num_views;
    const double dimensions = whole ? d : views[v].num_dimensions;
    const double cost =
        open_tiles * (dimensions + kKernelOverhead) * kKernelCost +
        (whole ? 0 : undecided[v] * (d * kUndecidedCost + kUndecidedOverhead));
    if (cost < best_cost) {
      best = v;
      best_cost = cost;
    }
  }
  return filter_.GetView(best);
}

BruteForcePairs::Radius BruteForcePairs::MakeRadius(double radius_key) const {
  Radius radius;
  radius.key = radius_key;
  radius.scaled_key = filter_.ScaledKey(radius_key);
  if (!filter_.usable()) return radius;
  radius.scaled_key =
      std::clamp(radius.scaled_key, kLeastScaledRadius, kMostScaledRadius);
  radius.view = ChooseView(radius.scaled_key, {}, {});
  return radius;
}

PairFilter::View BruteForcePairs::ViewForBounds(
    const std::vector<float>& half_bounds,
    const std::vector<int32_t>& ranks) const {
  return filter_.usable() ? ChooseView(0, half_bounds, ranks)
                          : PairFilter::View();
}

void BruteForcePairs::BoundTiles(int32_t tile, int32_t begin, int32_t end,
                                 double* lower, double* upper) const {
  if (filter_.usable()) {
    filter_.TileBounds(tile, begin, end, lower, upper);
    return;
  }
  const int32_t d = filter_.num_dimensions();
  const double* a = boxes_.data() + int64_t{2} * tile * d;
  for (int32_t other = begin; other < end; ++other) {
    const double* b = boxes_.data() + int64_t{2} * other * d;
    double* low = lower + (other - begin);
    double* high = upper + (other - begin);
    switch (norm_) {
      case Norm::kL2:
        BoxKeys<Norm::kL2>(a, b, d, low, high);
        break;
      case Norm::kL1:
        BoxKeys<Norm::kL1>(a, b, d, low, high);
        break;
      case Norm::kLInf:
        BoxKeys<Norm::kLInf>(a, b, d, low, high);
        break;
    }
  }
}

// s is minus half the scaled key, +- error. A squared distance of rows is the
// squared scaled distance; its root is right within 1 +- share, +- error.
BruteForcePairs::TileThresholds BruteForcePairs::Thresholds(
    const Radius& radius, int32_t row_tile, int32_t column_tile) const {
  TileThresholds thresholds;
  const double error = filter_.HalfKeyError(radius.view, row_tile, column_tile);
  thresholds.reach = DownToFloat(-radius.scaled_key / 2 - error);
  thresholds.inside = UpToFloat(-radius.scaled_key / 2 + error);
  const double root = std::sqrt(radius.scaled_key);
  const double share = filter_.RootShare() + filter_.KeyShare();
  const double root_error = filter_.RootError(row_tile, column_tile);
  const double outer = (root * (1 + share) + root_error) / (1 - share);
  const double inner = (root * (1 - share) - root_error) / (1 + share);
  thresholds.sum_reach = outer * outer * (1 + 1e-12);
  thresholds.sum_inside = inner > 0 ? inner * inner * (1 - 1e-12) : -1;
  return thresholds;
}

void BruteForcePairs::Keys(int32_t row_panel, int32_t column_panel,
                           const PairTileKernels& kernels,
                           PairScratch* scratch) const {
  const int32_t d = filter_.num_dimensions();
  scratch->rows.resize(static_cast<size_t>(kPanelPoints) * d);
  double* const room = scratch->rows.data();
  if (scratch->columns_panel != column_panel) {
    scratch->columns_panel = column_panel;
    const int size = PanelSize(column_panel);
    for (int j = 0; j < size; ++j) {
      const double* row = RowAt(column_panel * kPanelPoints + j, room);
      for (int32_t k = 0; k < d; ++k) {
        scratch->columns[static_cast<int64_t>(k) * kPanelPoints + j] = row[k];
      }
    }
  }
  const int size = PanelSize(row_panel);
  const double* rows[kPanelPoints];
  for (int i = 0; i < kPanelPoints; ++i) {
    rows[i] = RowAt(row_panel * kPanelPoints + std::min(i, size - 1),
                    room + static_cast<int64_t>(i) * d);
  }
  kernels.keys[static_cast<int>(norm_)](rows, scratch->columns.data(), d,
                                        scratch->keys.data());
}

double BruteForcePairs::Key(int32_t position, int32_t other,
                            const PairTileKernels& kernels) const {
  if (filter_.rows().grid().has_value()) {
    return filter_.rows().Key(kernels, position, other);
  }
  // Packed rows are widened here.
  thread_local std::vector<double> room;
  const int32_t d = filter_.num_dimensions();
  room.resize(2 * static_cast<size_t>(d));
  return kernels.key[static_cast<int>(norm_)](RowAt(position, room.data()),
                                              RowAt(other, room.data() + d), d);
}

}  // namespace warpclust
