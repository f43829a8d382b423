// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// GDPC (Liu et al. 2023, section 4) on the GPU: the points go there once, the
// decision graph comes back once.

#include "algorithms/density_peaks/decision_graph_cuda.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/ranks_cuda.h"
#include "kernels/device_buffer.h"
#include "vptree/brute_force_cuda.h"
#include "vptree/device_points.h"
#include "vptree/leaf_tree_cuda.h"
#include "vptree/metric.h"

namespace warpclust {
namespace {

// Up to this many dimensions the box tree is taken unmeasured: it has never
// been slower than anything else there.
constexpr int32_t kSurelyBoxTree = 3;

class Stopwatch {
 public:
  // Seconds since the construction or the last call.
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};

// Waits until what is being written to `buffer` is there.
template <typename T>
absl::Status Wait(const DeviceBuffer<T>& buffer) {
  T first;
  return buffer.CopyToHost(absl::MakeSpan(&first, buffer.empty() ? 0 : 1));
}

// Both searches by an index that is built; `stopwatch` has just measured that.
template <typename Index>
absl::StatusOr<DecisionGraphRun> Search(Index& index, double radius_key,
                                        Stopwatch& stopwatch) {
  DecisionGraphRun run;
  DeviceBuffer<int32_t> densities;
  absl::Status status = index.CountWithin(radius_key, densities);
  if (!status.ok()) return status;
  status = Wait(densities);
  if (!status.ok()) return status;
  run.density_seconds = stopwatch.Lap();

  DeviceBuffer<int32_t> ranks;
  status = DensityRanksCuda(densities.data(), densities.size(), ranks);
  if (!status.ok()) return status;
  DeviceBuffer<int32_t> dependent_points;
  DeviceBuffer<double> dependent_keys;
  status = index.NearestOfHigherRank(ranks, dependent_points, dependent_keys);
  if (!status.ok()) return status;
  absl::StatusOr<std::vector<int32_t>> host_points = dependent_points.ToHost();
  if (!host_points.ok()) return host_points.status();
  absl::StatusOr<std::vector<double>> host_keys = dependent_keys.ToHost();
  if (!host_keys.ok()) return host_keys.status();
  absl::StatusOr<std::vector<int32_t>> host_densities = densities.ToHost();
  if (!host_densities.ok()) return host_densities.status();
  run.densities = *std::move(host_densities);
  run.dependent_points = *std::move(host_points);
  run.dependent_keys = *std::move(host_keys);
  run.dependent_seconds = stopwatch.Lap();
  return run;
}

// The kind of index that a sample finds fastest; `tree` is the box tree already
// built for it, and stays where it wins.
absl::StatusOr<DensityPeaksIndex> Measure(const DevicePoints& points,
                                          double radius_key,
                                          const CudaLeafTree& box_tree,
                                          CudaBruteForce* brute_force) {
  const absl::StatusOr<double> tree_seconds =
      box_tree.EstimateSeconds(radius_key);
  if (!tree_seconds.ok()) return tree_seconds.status();
  absl::StatusOr<CudaBruteForce> brute = CudaBruteForce::Create(points);
  if (!brute.ok()) return brute.status();
  const absl::StatusOr<double> brute_seconds =
      brute->EstimateSeconds(radius_key);
  if (!brute_seconds.ok()) return brute_seconds.status();
  *brute_force = *std::move(brute);
  return *brute_seconds < *tree_seconds ? DensityPeaksIndex::kBruteForce
                                        : DensityPeaksIndex::kBoxTree;
}

}  // namespace

absl::StatusOr<DecisionGraphRun> DecisionGraphCuda(
    const PointMatrix& prepared, const DensityPeaksOptions& options,
    double radius_key) {
  Stopwatch stopwatch;
  absl::StatusOr<DevicePoints> points =
      DevicePoints::FromHost(prepared, NormOfMetric(options.metric));
  if (!points.ok()) return points.status();

  DensityPeaksIndex kind = options.index;
  const bool measure = kind == DensityPeaksIndex::kAuto &&
                       prepared.num_dimensions > kSurelyBoxTree;
  CudaLeafTree tree;
  CudaBruteForce brute_force;
  if (kind != DensityPeaksIndex::kBruteForce) {
    absl::StatusOr<CudaLeafTree> built = CudaLeafTree::Build(
        *points, kind == DensityPeaksIndex::kVpTree
                     ? CudaLeafTree::Kind::kVantage
                     : CudaLeafTree::Kind::kBox);
    if (!built.ok()) return built.status();
    tree = *std::move(built);
  }
  if (measure) {
    absl::StatusOr<DensityPeaksIndex> fastest =
        Measure(*points, radius_key, tree, &brute_force);
    if (!fastest.ok()) return fastest.status();
    kind = *fastest;
  } else if (kind == DensityPeaksIndex::kBruteForce) {
    absl::StatusOr<CudaBruteForce> created = CudaBruteForce::Create(*points);
    if (!created.ok()) return created.status();
    brute_force = *std::move(created);
  }
  const double build_seconds = stopwatch.Lap();

  absl::StatusOr<DecisionGraphRun> run;
  if (kind == DensityPeaksIndex::kBruteForce) {
    run = Search(brute_force, radius_key, stopwatch);
    if (!run.ok()) return run.status();
    run->index = "brute force";
  } else {
    run = Search(tree, radius_key, stopwatch);
    if (!run.ok()) return run.status();
    run->index = kind == DensityPeaksIndex::kVpTree ? "vp tree" : "box tree";
    const absl::StatusOr<int64_t> evaluations = tree.DistanceEvaluations();
    if (!evaluations.ok()) return evaluations.status();
    run->distance_evaluations = *evaluations;
  }
  run->build_seconds = build_seconds;
  return run;
}

}  // namespace warpclust
