// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/index_forecast.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/point_sample.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/search_arguments.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

// Nanoseconds; see the model in the header.
struct TreeCosts {
  double point, coordinate;
  double count, count_coordinate;
  double nearest, nearest_coordinate;
};
struct BruteForceCosts {
  double point, coordinate;
  double pair, pair_coordinate;
};
struct Costs {
  TreeCosts box;
  TreeCosts vp;
  BruteForceCosts brute_force_l2;
  BruteForceCosts brute_force_other;
};

// Fitted to 81 rows of index_map_benchmark and of real points, on one core of a
// Xeon of 2.6 GHz with AVX-512, 2026-11-23: least squares of the logarithms,
// phase by phase; then the pairs of brute force and the share of the second
// search were scaled for the best choices.
constexpr Costs kCosts = {{52, 12, 0.60, 0.010, 0.48, 0.190},
                          {98, 5.6, 0.40, 0.021, 0.88, 0.066},
                          {220, 10.4, 0.08, 0.010},
                          {270, 2.7, 0.00, 0.036}};

// The larger sample is one point in this many, within these limits.
constexpr int32_t kShare = 16;
constexpr int32_t kLeastSample = 256;
constexpr int32_t kMostSample = 1024;
// Pairs of a sample times dimensions.
constexpr double kMostSampleWork = 1 << 25;
// Trees prune better with more points, so distances grow less than the points.
constexpr double kMostExponent = 0.8;

using BuildIndex = decltype(&BuildBoxTreeIndex);

// Runs both searches.
absl::StatusOr<TreeWork> Work(BuildIndex build, const PointMatrix& points,
                              Norm norm, double radius_key) {
  const int32_t n = points.num_points;
  ASSIGN_OR_RETURN(const std::unique_ptr<NeighborIndex> tree,
                   build(points, norm, /*num_threads=*/1));
  std::vector<int32_t> counts(n);
  RETURN_IF_ERROR(tree->CountWithin(radius_key, absl::MakeSpan(counts)));
  TreeWork work;
  work.count = static_cast<double>(tree->distance_evaluations()) / n;
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return counts[a] > counts[b]; });
  std::vector<int32_t> ranks(n);
  for (int32_t i = 0; i < n; ++i) ranks[order[i]] = i;
  std::vector<NearestPoint> nearest(n);
  RETURN_IF_ERROR(tree->NearestOfHigherRank(ranks, absl::MakeSpan(nearest)));
  work.nearest =
      static_cast<double>(tree->distance_evaluations()) / n - work.count;
  return work;
}

double TreeSeconds(const TreeCosts& costs, const TreeWork& work, double n,
                   double d) {
  return 1e-9 * n *
         (costs.point + costs.coordinate * d +
          work.count * (costs.count + costs.count_coordinate * d) +
          work.nearest * (costs.nearest + costs.nearest_coordinate * d));
}

}  // namespace

absl::string_view IndexKindName(IndexKind kind) {
  switch (kind) {
    case IndexKind::kBoxTree:
      return BoxBounds::kTreeName;
    case IndexKind::kVpTree:
      return VantageBounds::kTreeName;
    case IndexKind::kBruteForce:
      break;
  }
  return "brute force";
}

IndexKind IndexForecast::FastestTree() const {
  return box_seconds <= vp_seconds ? IndexKind::kBoxTree : IndexKind::kVpTree;
}

IndexKind IndexForecast::Fastest() const {
  return std::min(box_seconds, vp_seconds) <= brute_force_seconds
             ? FastestTree()
             : IndexKind::kBruteForce;
}

absl::StatusOr<IndexForecast> ForecastIndexes(const PointMatrix& points,
                                              Norm norm, double radius_key) {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  IndexForecast forecast;
  const double n = points.num_points;
  const double d = points.num_dimensions;
  if (points.num_points == 0) return forecast;
  const auto most = static_cast<int32_t>(
      std::min<double>(kMostSample, std::sqrt(kMostSampleWork / d)));
  const int32_t large_size = std::min(
      points.num_points,
      std::min(most, std::max(kLeastSample, points.num_points / kShare)));
  const PointMatrix large = DrawPointSample(points, large_size);
  const PointMatrix small =
      DrawPointSample(points, std::max(1, large_size / 2));
  const auto grow = [&](BuildIndex build, TreeWork* work) -> absl::Status {
    ASSIGN_OR_RETURN(const TreeWork of_small,
                     Work(build, small, norm, radius_key));
    ASSIGN_OR_RETURN(const TreeWork of_large,
                     Work(build, large, norm, radius_key));
    const double growth = n / large_size;
    work->count =
        GrownCount(of_small.count, of_large.count, growth, kMostExponent);
    work->nearest =
        GrownCount(of_small.nearest, of_large.nearest, growth, kMostExponent);
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(grow(&BuildBoxTreeIndex, &forecast.box_work));
  RETURN_IF_ERROR(grow(&BuildVpTreeIndex, &forecast.vp_work));

  forecast.box_seconds = TreeSeconds(kCosts.box, forecast.box_work, n, d);
  forecast.vp_seconds = TreeSeconds(kCosts.vp, forecast.vp_work, n, d);
  const BruteForceCosts& pairs =
      norm == Norm::kL2 ? kCosts.brute_force_l2 : kCosts.brute_force_other;
  forecast.brute_force_seconds = 1e-9 * n *
                                 (pairs.point + pairs.coordinate * d +
                                  n * (pairs.pair + pairs.pair_coordinate * d));
  return forecast;
}

}  // namespace warpclust
