// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The bounds of PairFilter against exact keys and sums in double.

#include "vptree/brute_force/pair_filter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "base/machine/cpu_features.h"
#include "base/numbers/random.h"
#include "gtest/gtest.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/testing/filter_points.h"
#include "vptree/brute_force/tile_boxes.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"
#include "vptree/points/point_rows.h"

namespace warpclust {
namespace {

// s(i, j) of pair_tile_kernels.h, summed in double.
double Sum(const FilterPanel& rows, const FilterPanel& columns, int i, int j,
           int num_dimensions) {
  double sum = double{rows.minus_halves[i]} + columns.minus_halves[j];
  for (int k = 0; k < num_dimensions; ++k) {
    sum += double{rows.values[k * kPanelPoints + i]} *
           columns.values[k * kPanelPoints + j];
  }
  return sum;
}

void CheckPair(const PairFilter& filter, const PointMatrix& points, int32_t i,
               int32_t j) {
  const int i_tile = i / kFilterTilePoints, j_tile = j / kFilterTilePoints;
  const double key = filter.ScaledKey(
      DistanceKey(Norm::kL2, points.Row(filter.order()[i]),
                  points.Row(filter.order()[j]), points.num_dimensions));
  for (int v = 0; v < filter.num_views(); ++v) {
    const PairFilter::View view = filter.GetView(v);
    const FilterPanel rows = filter.Panel(view, i / kPanelPoints);
    const FilterPanel columns = filter.Panel(view, j / kPanelPoints);
    double error = filter.HalfKeyError(view, i_tile, j_tile);
    if (view.residuals != nullptr) {
      error += double{view.residuals[i]} * view.residuals[j];
    }
    ASSERT_NEAR(Sum(rows, columns, i % kPanelPoints, j % kPanelPoints,
                    view.num_dimensions),
                -key / 2, error)
        << "view " << v;
  }
  double lower = 0, upper = 0;
  filter.TileBounds(i_tile, j_tile, j_tile + 1, &lower, &upper);
  ASSERT_LE(lower, key);
  ASSERT_GE(upper, key);
  ASSERT_LE(filter.PointBound(i, j_tile), key);
  if (!filter.has_rows()) return;
  const PairTileKernels& kernels = PairTileKernelsFor(CpuSimdLevel());
  const int32_t others[4] = {j, i, j, i};
  float sums[4];
  filter.rows().SquaredDistances(kernels, i, others, sums);
  ASSERT_EQ(sums[1], 0);
  ASSERT_EQ(sums[2], sums[0]);
  const double squares = sums[0];
  ASSERT_NEAR(std::sqrt(squares), std::sqrt(key),
              filter.RootShare() * std::sqrt(squares) +
                  filter.RootError(i_tile, j_tile));
}

TEST(PairFilterTest, BoundsHold) {
  constexpr int32_t kSizes[] = {1, 31, 32, 100, 128, 129, 300, 700};
  constexpr int32_t kDimensions[] = {1, 3, 17, 40, 65, 70, 130, 300};
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const int32_t first = kSizes[random.Below(8)];
    const int32_t n = first + kSizes[random.Below(8)];
    PointMatrix points =
        MakeFilterPoints(kFilterPoints[random.Below(std::size(kFilterPoints))],
                         n, kDimensions[random.Below(8)], &random);
    // The first points may be known, and the others smaller or larger.
    PointMatrix block;
    std::optional<PairFilter> known;
    if (random.Below(2) == 0) {
      const int32_t before = random.Below(2) == 0 ? 0 : 200;
      block = BehindOthers(points, 0, first, before, &random);
      known.emplace(PointRows(block), Norm::kL2, 1);
      const double factor =
          std::ldexp(1.0, 2 - static_cast<int>(random.Below(70)));
      const auto others =
          points.values.begin() + int64_t{first} * points.num_dimensions;
      std::for_each(others, points.values.end(),
                    [&](double& value) { value *= factor; });
    }
    const PairFilter filter(
        PointRows(points), Norm::kL2, 2, first,
        known.has_value()
            ? KnownPoints{&*known, block.num_points - first, first, false}
            : KnownPoints());
    if (!filter.usable()) continue;
    SCOPED_TRACE(testing::Message()
                 << "seed " << seed << ", " << n << " points, "
                 << points.num_dimensions << " dimensions");
    for (int pair = 0; pair < 300; ++pair) {
      ASSERT_NO_FATAL_FAILURE(CheckPair(filter, points,
                                        static_cast<int32_t>(random.Below(n)),
                                        static_cast<int32_t>(random.Below(n))));
    }
  }
}

TEST(PairFilterTest, KnownPointsKeepTheirRows) {
  Random random(1);
  for (const FilterPoints kind : kPointsWithAxes) {
    const PointMatrix points = MakeFilterPoints(kind, 1000, 70, &random);
    const PointMatrix block = BehindOthers(points, 0, 600, 0, &random);
    const PairFilter filter(PointRows(block), Norm::kL2, 1);
    const PairFilter both(PointRows(points), Norm::kL2, 1, 600,
                          {&filter, 0, 600, /*are_last=*/false});
    ASSERT_TRUE(both.has_rows());
    for (int32_t position = 0; position < 600; ++position) {
      int32_t at = 0;
      while (filter.order()[at] != both.order()[position]) ++at;
      ASSERT_EQ(both.rows().Row(position), filter.rows().Row(at));
    }
  }
}

// Axes of a line say nothing of points beside it.
TEST(PairFilterTest, AxesThatDoNotSuitAreNotTaken) {
  Random random(1);
  const int32_t d = 130;
  PointMatrix points =
      MakeFilterPoints(FilterPoints::kUniform, 400, d, &random);
  for (int32_t i = 0; i < 200; ++i) {
    const double along = random.Unit();
    for (int32_t k = 0; k < d; ++k) {
      points.values[int64_t{i} * d + k] = 2 * along;
    }
  }
  const PointMatrix block = BehindOthers(points, 0, 200, 0, &random);
  const PairFilter filter(PointRows(block), Norm::kL2, 1);
  ASSERT_TRUE(filter.has_rows());
  const PairFilter both(PointRows(points), Norm::kL2, 1, 200,
                        {&filter, 0, 200, /*are_last=*/false});
  for (int32_t position = 0; both.has_rows() && position < 200; ++position) {
    for (int32_t other = 0; other < 200; ++other) {
      ASSERT_NE(both.rows().Row(position), filter.rows().Row(other));
    }
  }
}

}  // namespace
}  // namespace warpclust
