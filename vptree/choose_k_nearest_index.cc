// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/choose_k_nearest_index.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "base/status/status_macros.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/leaf_tree/leaf_tree.h"
#include "vptree/leaf_tree/leaf_tree_search.h"
#include "vptree/point_sample.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

// With fewer points, samples would cost more than a wrong choice, and threads
// for a sample more than they save.
constexpr int32_t kFewPoints = 2048;
// From here on, the boxes of few points say less than the balls.
constexpr int32_t kManyDimensions = 64;

// The sample is one point in this many, within these limits.
constexpr int32_t kShare = 16;
constexpr int32_t kLeastSample = 256;
constexpr int32_t kMostSample = 8192;
// One leaf of it is searched per this many queries, within these limits and, if
// it has more than a few, while all pairs times dimensions are at most
// kMostWork.
constexpr int32_t kQueriesPerLeaf = 512;
constexpr int32_t kFewLeaves = 4;
constexpr int32_t kLeastLeaves = 16;
constexpr int32_t kMostLeaves = 64;
constexpr int64_t kMostWork = int64_t{1} << 26;

// Nanoseconds; see the model in the header. Fitted to the relative errors of
// the times of each index, and of the ratio of the trees, with E counted on all
// points (vptree/BENCHMARKS.md), on one core of an AMD EPYC with AVX-512,
// 2026-11-27. Then rounded: brute force up by a fifth, because E of a sample in
// many dimensions is often too large, and the distance of a VP-tree by a
// quarter, because its E is often too small against that of the box tree.
constexpr double kBuildPoint = 100, kBuildStep = 1.5;
constexpr double kTreeQuery = 120, kListed = 12, kSorted = 0.022;
// Bounds of boxes have two coordinates per dimension.
constexpr double kBoxDistance = 0.35, kBoxCoordinate = 0.053;
constexpr double kVpDistance = 0.45, kVpCoordinate = 0.026;
constexpr double kBrutePoint = 400, kBruteCoordinate = 10;
constexpr double kPair = 0.05, kPairCoordinate = 0.004;
// Other norms than L2 have no filter in single precision.
constexpr double kOtherPairCoordinate = 0.036;
constexpr double kOffered = 50;

// Distances per query, counted on a tree over `points`.
template <class TreeIndex>
absl::StatusOr<double> CountedWork(const PointMatrix& points, Norm norm,
                                   int32_t k, int32_t num_leaves,
                                   int num_threads) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TreeIndex> tree,
                   TreeIndex::Build(points, norm, num_threads));
  return tree->KNearestEvaluations(k, num_leaves);
}

// From a sample, for all points.
absl::StatusOr<KNearestWork> ForecastWork(const PointMatrix& points, Norm norm,
                                          int32_t num_queries, int32_t k,
                                          int num_threads) {
  const int32_t n = points.num_points;
  const int32_t size = std::clamp(n / kShare, kLeastSample, kMostSample);
  const int64_t pairs_of_leaf =
      int64_t{kLeafSize} * size * points.num_dimensions;
  const auto num_leaves = static_cast<int32_t>(std::min<int64_t>(
      std::clamp(num_queries / kQueriesPerLeaf, kLeastLeaves, kMostLeaves),
      std::max<int64_t>(kFewLeaves, kMostWork / pairs_of_leaf)));
  if (size < kFewPoints) num_threads = 1;
  // Of half the sample, then of all of it.
  KNearestWork works[2];
  for (const int i : {0, 1}) {
    const int32_t sampled = i == 0 ? size / 2 : size;
    const PointMatrix sample = DrawPointSample(points, sampled);
    const auto neighbors = static_cast<int32_t>(
        std::clamp<int64_t>(int64_t{k} * sampled / n, 1, sampled - 1));
    ASSIGN_OR_RETURN(
        works[i].box,
        CountedWork<BoxTree>(sample, norm, neighbors, num_leaves, num_threads));
    ASSIGN_OR_RETURN(works[i].vp, CountedWork<VpTree>(sample, norm, neighbors,
                                                      num_leaves, num_threads));
  }
  const double growth = static_cast<double>(n) / size;
  return KNearestWork{GrownCount(works[0].box, works[1].box, growth, 1),
                      GrownCount(works[0].vp, works[1].vp, growth, 1)};
}

}  // namespace

IndexKind FastestForKNearest(const KNearestWork& work, Norm norm,
                             int32_t num_points, int32_t num_queries,
                             int32_t num_dimensions, int32_t k) {
  const double n = num_points;
  const double q = num_queries;
  const double d = num_dimensions;
  const double build = n * (kBuildPoint + kBuildStep * d * std::log2(n));
  const double lists =
      kTreeQuery + kListed * k + kSorted * k * std::min(k, kMostRanked);
  const double box =
      build + q * (lists + work.box * (kBoxDistance + kBoxCoordinate * d));
  const double vp =
      build + q * (lists + work.vp * (kVpDistance + kVpCoordinate * d));
  const double pair = norm == Norm::kL2 ? kPair + kPairCoordinate * d
                                        : kOtherPairCoordinate * d;
  const double brute = n * (kBrutePoint + kBruteCoordinate * d) +
                       q * (n * pair + kOffered * k * (1 + std::log(n / k)));
  if (std::min(box, vp) > brute) return IndexKind::kBruteForce;
  return box <= vp ? IndexKind::kBoxTree : IndexKind::kVpTree;
}

absl::StatusOr<IndexKind> ChooseKNearestIndex(const PointMatrix& points,
                                              Norm norm, int32_t num_queries,
                                              int32_t k, int num_threads) {
  if (points.num_points < kFewPoints) {
    return points.num_dimensions < kManyDimensions ? IndexKind::kBoxTree
                                                   : IndexKind::kVpTree;
  }
  ASSIGN_OR_RETURN(const KNearestWork work,
                   ForecastWork(points, norm, num_queries, k, num_threads));
  return FastestForKNearest(work, norm, points.num_points, num_queries,
                            points.num_dimensions, k);
}

}  // namespace warpclust
