// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/choose_index.h"

#include <cstdint>
#include <optional>

#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/brute_force.h"
#include "vptree/points/search_arguments.h"
#include "vptree/vp_tree/vp_tree.h"

namespace warpclust {
namespace {

// Up to here boxes bound well for any points.
constexpr int32_t kBoxDimensions = 5;
// With fewer points, samples would cost more than a wrong choice.
constexpr int32_t kFewPoints = 2048;
constexpr int32_t kFewDimensions = 8;
// From here on brute force, which needs few operations per Euclidean distance,
// loses little where a tree is faster, and samples say little about clusters.
constexpr int32_t kManyDimensions = 256;
// Up to here a GPU compares all pairs faster than it searches a tree for k
// neighbors in many dimensions.
constexpr int64_t kFewPairsOnGpu = int64_t{1} << 33;

}  // namespace

absl::StatusOr<IndexKind> ChooseIndexKind(const PointMatrix& points, Norm norm,
                                          double radius_key) {
  if (points.num_dimensions <= kBoxDimensions) return IndexKind::kBoxTree;
  if (points.num_points < kFewPoints) {
    return points.num_dimensions <= kFewDimensions ? IndexKind::kBoxTree
                                                   : IndexKind::kBruteForce;
  }
  if (norm == Norm::kL2 && points.num_dimensions >= kManyDimensions) {
    return IndexKind::kBruteForce;
  }
  ASSIGN_OR_RETURN(const IndexForecast forecast,
                   ForecastIndexes(points, norm, radius_key));
  return forecast.Fastest();
}

IndexKind ChooseKNearestIndexOnGpu(int64_t num_points, int64_t num_queries,
                                   int32_t num_dimensions) {
  return num_dimensions > kBoxDimensions &&
                 num_points * num_queries <= kFewPairsOnGpu
             ? IndexKind::kBruteForce
             : IndexKind::kBoxTree;
}

Device DeviceForKNearest(Device requested, std::optional<IndexKind> index,
                         int64_t num_points, int64_t num_queries,
                         int32_t num_dimensions) {
  const IndexKind on_gpu = index.value_or(
      ChooseKNearestIndexOnGpu(num_points, num_queries, num_dimensions));
  return requested == Device::kAuto && on_gpu != IndexKind::kBruteForce &&
                 num_dimensions <= kMostDimensionsOnCpu
             ? Device::kCpu
             : requested;
}

absl::StatusOr<std::unique_ptr<NeighborIndex>> ChooseIndex(
    const PointMatrix& points, Norm norm, double radius_key, int num_threads) {
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  RETURN_IF_ERROR(points.Validate());
  RETURN_IF_ERROR(ValidateNumThreads(num_threads));
  ASSIGN_OR_RETURN(const IndexKind kind,
                   ChooseIndexKind(points, norm, radius_key));
  switch (kind) {
    case IndexKind::kBoxTree:
      break;
    case IndexKind::kVpTree:
      return BuildVpTreeIndex(points, norm, num_threads);
    case IndexKind::kBruteForce:
      return BuildBruteForceIndex(points, norm, num_threads);
  }
  return BuildBoxTreeIndex(points, norm, num_threads);
}

}  // namespace warpclust
