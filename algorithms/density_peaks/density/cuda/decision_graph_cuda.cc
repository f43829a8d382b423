// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/ranks_cuda.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device_buffer.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/index_forecast.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

// Up to this many dimensions the box tree is taken without a measurement: it
// has never been slower than another index there.
constexpr int32_t kSurelyBoxTree = 3;

// Waits until all writes to `buffer` are done.
template <typename T>
absl::Status Wait(const DeviceBuffer<T>& buffer) {
  T first;
  return buffer.CopyToHost(absl::MakeSpan(&first, buffer.empty() ? 0 : 1));
}

// Both searches by an index; `stopwatch` has just measured its building.
template <typename Index>
absl::StatusOr<DecisionGraphRun> Search(Index& index, double radius_key,
                                        Stopwatch& stopwatch) {
  DecisionGraphRun run;
  DeviceBuffer<int32_t> densities;
  RETURN_IF_ERROR(index.CountWithin(radius_key, densities));
  RETURN_IF_ERROR(Wait(densities));
  run.density_seconds = stopwatch.Lap();

  DeviceBuffer<int32_t> ranks;
  RETURN_IF_ERROR(DensityRanksCuda(densities.data(), densities.size(), ranks));
  DeviceBuffer<int32_t> dependent_points;
  DeviceBuffer<double> dependent_keys;
  RETURN_IF_ERROR(
      index.NearestOfHigherRank(ranks, dependent_points, dependent_keys));
  ASSIGN_OR_RETURN(run.dependent_points, dependent_points.ToHost());
  ASSIGN_OR_RETURN(run.dependent_keys, dependent_keys.ToHost());
  ASSIGN_OR_RETURN(run.densities, densities.ToHost());
  run.dependent_seconds = stopwatch.Lap();
  return run;
}

// The index of the searches. BuildFastest may hold both for a while.
struct CudaIndex {
  std::optional<CudaLeafTree> tree;
  std::optional<CudaBruteForce> brute_force;
};

absl::Status BuildTree(const DevicePoints& points, CudaLeafTree::Kind kind,
                       CudaIndex& index) {
  ASSIGN_OR_RETURN(index.tree, CudaLeafTree::Build(points, kind));
  return absl::OkStatus();
}

absl::Status BuildBruteForce(const DevicePoints& points, CudaIndex& index) {
  ASSIGN_OR_RETURN(index.brute_force, CudaBruteForce::Create(points));
  return absl::OkStatus();
}

// The tree that the model prefers (vptree/index_forecast.h) or brute force. If
// the model is not sure, both are built and measured on a sample.
absl::Status BuildFastest(const PointMatrix& prepared,
                          const DevicePoints& points, double radius_key,
                          CudaIndex& index) {
  // Forecasts that differ by more than this decide.
  constexpr double kSure = 4;
  // Both searches, in units of the density search: dependent points take about
  // as long again on a tree, two or three times as long by brute force.
  constexpr double kTreeSearches = 2.2;
  constexpr double kBruteForceSearches = 3.5;
  ASSIGN_OR_RETURN(
      const IndexForecast forecast,
      ForecastIndexes(prepared, points.norm, radius_key, IndexDevice::kCuda));
  const bool vp_tree = forecast.FastestTree() == IndexKind::kVpTree;
  const CudaLeafTree::Kind kind =
      vp_tree ? CudaLeafTree::Kind::kVantage : CudaLeafTree::Kind::kBox;
  const double tree_forecast =
      vp_tree ? forecast.vp_seconds : forecast.box_seconds;
  if (kSure * tree_forecast < forecast.brute_force_seconds) {
    return BuildTree(points, kind, index);
  }
  absl::Status brute_force = BuildBruteForce(points, index);
  if (absl::IsResourceExhausted(brute_force)) {
    return BuildTree(points, kind, index);
  }
  if (!brute_force.ok() ||
      kSure * forecast.brute_force_seconds < tree_forecast) {
    return brute_force;
  }
  absl::Status tree = BuildTree(points, kind, index);
  if (absl::IsResourceExhausted(tree)) return absl::OkStatus();
  RETURN_IF_ERROR(tree);
  const absl::StatusOr<double> tree_seconds =
      index.tree->EstimateSeconds(radius_key);
  const absl::StatusOr<double> brute_force_seconds =
      index.brute_force->EstimateSeconds(radius_key);
  if (absl::IsResourceExhausted(tree_seconds.status()) ||
      absl::IsResourceExhausted(brute_force_seconds.status())) {
    // No room to measure: the tree needs less.
    index.brute_force.reset();
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(tree_seconds.status());
  RETURN_IF_ERROR(brute_force_seconds.status());
  if (kBruteForceSearches * *brute_force_seconds <
      kTreeSearches * *tree_seconds) {
    index.tree.reset();
  } else {
    index.brute_force.reset();
  }
  return absl::OkStatus();
}

absl::Status BuildIndex(const PointMatrix& prepared, const DevicePoints& points,
                        DensityPeaksIndex kind, double radius_key,
                        CudaIndex& index) {
  switch (kind) {
    case DensityPeaksIndex::kBoxTree:
      return BuildTree(points, CudaLeafTree::Kind::kBox, index);
    case DensityPeaksIndex::kVpTree:
      return BuildTree(points, CudaLeafTree::Kind::kVantage, index);
    case DensityPeaksIndex::kBruteForce:
      return BuildBruteForce(points, index);
    case DensityPeaksIndex::kAuto:
      break;
  }
  return prepared.num_dimensions <= kSurelyBoxTree
             ? BuildTree(points, CudaLeafTree::Kind::kBox, index)
             : BuildFastest(prepared, points, radius_key, index);
}

absl::StatusOr<DecisionGraphRun> Run(const PointMatrix& prepared, Norm norm,
                                     DensityPeaksIndex kind,
                                     double radius_key) {
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(DevicePoints points, DevicePoints::FromHost(prepared, norm));

  CudaIndex index;
  RETURN_IF_ERROR(BuildIndex(prepared, points, kind, radius_key, index));
  const double build_seconds = stopwatch.Lap();

  absl::StatusOr<DecisionGraphRun> run =
      index.tree.has_value()
          ? Search(*index.tree, radius_key, stopwatch)
          : Search(*index.brute_force, radius_key, stopwatch);
  if (kind == DensityPeaksIndex::kAuto && !index.tree.has_value() &&
      absl::IsResourceExhausted(run.status())) {
    // Searching a tree needs less memory.
    index.brute_force.reset();
    RETURN_IF_ERROR(BuildTree(points, CudaLeafTree::Kind::kBox, index));
    run = Search(*index.tree, radius_key, stopwatch);
  }
  RETURN_IF_ERROR(run.status());
  run->index = "brute force";
  if (index.tree.has_value()) {
    run->index = index.tree->arrays().kind == CudaLeafTree::Kind::kVantage
                     ? "vp tree"
                     : "box tree";
    ASSIGN_OR_RETURN(run->distance_evaluations,
                     index.tree->DistanceEvaluations());
  }
  run->build_seconds = build_seconds;
  return run;
}

}  // namespace

absl::StatusOr<DecisionGraphRun> DecisionGraphCuda(const PointMatrix& points,
                                                   Metric metric,
                                                   DensityPeaksIndex index,
                                                   double cutoff_distance) {
  absl::StatusOr<DecisionGraphRun> run =
      Run(points, NormOfMetric(metric), index,
          internal::RadiusKey(metric, cutoff_distance));
  if (run.ok()) return run;
  return NameWhatDidNotFit(
      run.status(),
      absl::StrCat("density peaks of ", points.num_points, " points of ",
                   points.num_dimensions, " dimensions on the GPU"));
}

}  // namespace warpclust
