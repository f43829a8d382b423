// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/cuda_index.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/status/status_macros.h"
#include "vptree/box_tree/box_tree.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace {

// The share of all pairs that a box tree over a few of the points visits. Over
// all points it is smaller, but where it is large even here, no tree will win.
// On the CPU: the GPU would walk such a small tree no faster than a large one.
absl::StatusOr<double> ShareOfPairs(const PointMatrix& prepared, Norm norm,
                                    double radius_key, int num_threads) {
  constexpr int32_t kPoints = 512;
  const int32_t step = std::max(1, prepared.num_points / kPoints);
  PointMatrix few;
  few.num_dimensions = prepared.num_dimensions;
  for (int32_t i = 0; i < prepared.num_points; i += step) {
    few.values.insert(few.values.end(), prepared.Row(i),
                      prepared.Row(i) + prepared.num_dimensions);
    ++few.num_points;
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<NeighborIndex> tree,
                   BuildBoxTreeIndex(few, norm, num_threads));
  std::vector<int32_t> counts(few.num_points);
  RETURN_IF_ERROR(tree->CountWithin(radius_key, absl::MakeSpan(counts)));
  return static_cast<double>(tree->distance_evaluations()) / few.num_points /
         few.num_points;
}

absl::Status BuildBruteForce(const DevicePoints& points, CudaIndex& index) {
  if (index.brute_force.has_value()) return absl::OkStatus();
  ASSIGN_OR_RETURN(index.brute_force, CudaBruteForce::Create(points));
  return absl::OkStatus();
}

// Box tree or brute force, by their seconds on a sample; brute force without
// trying a tree where it takes little more than that. The VP-tree is not a
// candidate: with Euclidean distances it was at most 1 % faster than the better
// of the two on the points of vptree/BENCHMARKS.md.
absl::Status BuildFastest(const PointMatrix& prepared,
                          const DevicePoints& points, double radius_key,
                          int num_threads, CudaIndex& index) {
  // Both searches, in units of the density search.
  constexpr double kTreeSearches = 2.2;
  // A tree needs less memory.
  const auto tree_instead = [&] {
    index.brute_force.reset();
    return index.tree.has_value()
               ? absl::OkStatus()
               : BuildCudaTree(points, CudaLeafTree::Kind::kBox, index);
  };
  const absl::Status brute_force = BuildBruteForce(points, index);
  if (absl::IsResourceExhausted(brute_force)) return tree_instead();
  RETURN_IF_ERROR(brute_force);
  const absl::StatusOr<BruteForceForecast> forecast = ForecastBruteForce(
      prepared, points, radius_key, num_threads, *index.brute_force);
  if (absl::IsResourceExhausted(forecast.status())) return tree_instead();
  RETURN_IF_ERROR(forecast.status());
  if (!forecast->may_lose) return absl::OkStatus();
  const absl::Status tree =
      BuildCudaTree(points, CudaLeafTree::Kind::kBox, index);
  if (absl::IsResourceExhausted(tree)) return absl::OkStatus();
  RETURN_IF_ERROR(tree);
  // If the tree takes longer to find densities, both searches do.
  const double most = forecast->seconds / kTreeSearches;
  const absl::StatusOr<double> tree_seconds =
      index.tree->EstimateSeconds(radius_key, most);
  if (absl::IsResourceExhausted(tree_seconds.status())) return tree_instead();
  RETURN_IF_ERROR(tree_seconds.status());
  if (*tree_seconds <= most) return tree_instead();
  index.tree.reset();
  return absl::OkStatus();
}

}  // namespace

absl::string_view CudaIndex::name() const {
  if (!tree.has_value()) return "brute force";
  return tree->arrays().kind == CudaLeafTree::Kind::kVantage ? "vp tree"
                                                             : "box tree";
}

absl::StatusOr<BruteForceForecast> ForecastBruteForce(
    const PointMatrix& prepared, const DevicePoints& points, double radius_key,
    int num_threads, CudaBruteForce& brute_force) {
  // Above this share the tree is not worth building.
  constexpr double kHopelessShare = 0.6;
  // Both searches, in units of the density search: dependent points take about
  // as long again on a tree, two or three times as long by brute force.
  constexpr double kSearches = 3.5;
  // What building a tree and measuring it take per coordinate on an H100, and
  // how many times as long both searches by brute force must take for a tree to
  // be tried: in many dimensions it seldom wins.
  constexpr double kSecondsToTry = 7e-10;
  constexpr double kWorthTrying = 8;
  BruteForceForecast forecast;
  ASSIGN_OR_RETURN(const double density_seconds,
                   brute_force.EstimateSeconds(radius_key));
  forecast.seconds = kSearches * density_seconds;
  if (prepared.num_points == 0 ||
      forecast.seconds < kWorthTrying * kSecondsToTry *
                             static_cast<double>(points.values.size())) {
    return forecast;
  }
  ASSIGN_OR_RETURN(const double share, ShareOfPairs(prepared, points.norm,
                                                    radius_key, num_threads));
  forecast.may_lose = share <= kHopelessShare;
  return forecast;
}

absl::Status BuildCudaTree(const DevicePoints& points, CudaLeafTree::Kind kind,
                           CudaIndex& index) {
  ASSIGN_OR_RETURN(index.tree, CudaLeafTree::Build(points, kind));
  return absl::OkStatus();
}

absl::Status BuildCudaIndex(const PointMatrix& prepared,
                            const DevicePoints& points, DensityPeaksIndex kind,
                            double radius_key, int num_threads,
                            CudaIndex& index) {
  switch (kind) {
    case DensityPeaksIndex::kBoxTree:
      return BuildCudaTree(points, CudaLeafTree::Kind::kBox, index);
    case DensityPeaksIndex::kVpTree:
      return BuildCudaTree(points, CudaLeafTree::Kind::kVantage, index);
    case DensityPeaksIndex::kBruteForce:
      return BuildBruteForce(points, index);
    case DensityPeaksIndex::kAuto:
      break;
  }
  return prepared.num_dimensions <= kSurelyBoxTree
             ? BuildCudaTree(points, CudaLeafTree::Kind::kBox, index)
             : BuildFastest(prepared, points, radius_key, num_threads, index);
}

}  // namespace warpclust
