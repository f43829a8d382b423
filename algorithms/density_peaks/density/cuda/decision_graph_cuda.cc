// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"

#include <algorithm>
#include <cstdint>
#include <memory>
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
#include "vptree/box_tree/box_tree.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"

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
  run.density_seconds = stopwatch.Lap("density");

  DeviceBuffer<int32_t> ranks;
  RETURN_IF_ERROR(DensityRanksCuda(densities.data(), densities.size(), ranks));
  DeviceBuffer<int32_t> dependent_points;
  DeviceBuffer<double> dependent_keys;
  RETURN_IF_ERROR(
      index.NearestOfHigherRank(ranks, dependent_points, dependent_keys));
  ASSIGN_OR_RETURN(run.dependent_points, dependent_points.ToHost());
  ASSIGN_OR_RETURN(run.dependent_keys, dependent_keys.ToHost());
  ASSIGN_OR_RETURN(run.densities, densities.ToHost());
  run.dependent_seconds = stopwatch.Lap("dependent");
  return run;
}

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

// Box tree or brute force, by their seconds on a sample. The VP-tree is not a
// candidate: with Euclidean distances it was at most 1 % faster than the better
// of the two on the points of vptree/BENCHMARKS.md.
absl::Status BuildFastest(const PointMatrix& prepared,
                          const DevicePoints& points, double radius_key,
                          int num_threads, CudaIndex& index) {
  // Above this share the tree is not worth a measurement, which would take
  // longer than brute force: one warp's walk through most of the tree.
  constexpr double kHopelessShare = 0.6;
  // Both searches, in units of the density search: dependent points take about
  // as long again on a tree, two or three times as long by brute force.
  constexpr double kTreeSearches = 2.2;
  constexpr double kBruteForceSearches = 3.5;
  ASSIGN_OR_RETURN(const double share, ShareOfPairs(prepared, points.norm,
                                                    radius_key, num_threads));
  absl::Status brute_force = BuildBruteForce(points, index);
  if (absl::IsResourceExhausted(brute_force)) {
    return BuildTree(points, CudaLeafTree::Kind::kBox, index);
  }
  if (!brute_force.ok() || share > kHopelessShare) return brute_force;
  absl::Status tree = BuildTree(points, CudaLeafTree::Kind::kBox, index);
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
                        int num_threads, CudaIndex& index) {
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
             : BuildFastest(prepared, points, radius_key, num_threads, index);
}

// What an OtherLabelSearch keeps on the GPU.
struct LabelSearch {
  DevicePoints points;
  CudaIndex index;
  double radius_key = 0;

  absl::Status operator()(absl::Span<const int32_t> ranks,
                          absl::Span<const int32_t> labels,
                          absl::Span<int32_t> best) {
    // Brute force has no such search.
    if (!index.tree.has_value()) {
      index.brute_force.reset();
      RETURN_IF_ERROR(BuildTree(points, CudaLeafTree::Kind::kBox, index));
    }
    ASSIGN_OR_RETURN(const auto device_ranks,
                     DeviceBuffer<int32_t>::FromHost(ranks));
    ASSIGN_OR_RETURN(const auto device_labels,
                     DeviceBuffer<int32_t>::FromHost(labels));
    ASSIGN_OR_RETURN(auto device_best, DeviceBuffer<int32_t>::FromHost(best));
    RETURN_IF_ERROR(index.tree->HighestRankOfOtherLabel(
        radius_key, device_ranks, device_labels, device_best));
    return device_best.CopyToHost(best);
  }
};

absl::StatusOr<DecisionGraphRun> Run(const PointMatrix& prepared, Norm norm,
                                     DensityPeaksIndex kind, double radius_key,
                                     int num_threads,
                                     OtherLabelSearch* search) {
  Stopwatch stopwatch;
  const auto kept = std::make_shared<LabelSearch>();
  ASSIGN_OR_RETURN(kept->points, DevicePoints::FromHost(prepared, norm));
  const DevicePoints& points = kept->points;
  kept->radius_key = radius_key;

  CudaIndex& index = kept->index;
  RETURN_IF_ERROR(
      BuildIndex(prepared, points, kind, radius_key, num_threads, index));
  const double build_seconds = stopwatch.Lap("build");

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
    run->index = kind == DensityPeaksIndex::kVpTree ? "vp tree" : "box tree";
    ASSIGN_OR_RETURN(run->distance_evaluations,
                     index.tree->DistanceEvaluations());
  }
  run->build_seconds = build_seconds;
  if (search != nullptr) {
    *search = [kept](absl::Span<const int32_t> ranks,
                     absl::Span<const int32_t> labels,
                     absl::Span<int32_t> best) {
      return (*kept)(ranks, labels, best);
    };
  }
  return run;
}

}  // namespace

absl::StatusOr<DecisionGraphRun> DecisionGraphCuda(
    const PointMatrix& points, Metric metric, DensityPeaksIndex index,
    double cutoff_distance, int num_threads, OtherLabelSearch* search) {
  absl::StatusOr<DecisionGraphRun> run =
      Run(points, NormOfMetric(metric), index,
          internal::RadiusKey(metric, cutoff_distance), num_threads, search);
  if (run.ok()) return run;
  return NameWhatDidNotFit(
      run.status(),
      absl::StrCat("density peaks of ", points.num_points, " points of ",
                   points.num_dimensions, " dimensions on the GPU"));
}

}  // namespace warpclust
