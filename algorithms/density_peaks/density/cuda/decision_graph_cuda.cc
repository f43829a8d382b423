// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"

#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cuda/cuda_index.h"
#include "algorithms/density_peaks/density/cuda/device_searches.h"
#include "algorithms/density_peaks/density/cuda/largest_key_cuda.h"
#include "algorithms/density_peaks/density/cuda/ranks_cuda.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/memory/device_buffer.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/leaf_tree/cuda/leaf_tree_cuda.h"
#include "vptree/points/device_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

// Waits until all writes to `buffer` are done.
template <typename T>
absl::Status Wait(const DeviceBuffer<T>& buffer) {
  T first;
  return buffer.CopyToHost(absl::MakeSpan(&first, buffer.empty() ? 0 : 1));
}

// The largest key of a point and any other.
absl::StatusOr<double> LargestKeyOf(const DevicePoints& points, int64_t point) {
  std::vector<double> row(points.num_dimensions);
  RETURN_IF_ERROR(points.values.CopyToHost(absl::MakeSpan(row),
                                           point * points.num_dimensions));
  return LargestKeyCuda(points, row);
}

// Both searches by an index of the points, one that `searches` have;
// `stopwatch` has just measured its building.
template <typename Index>
absl::StatusOr<DecisionGraphRun> Search(Index& index, double radius_key,
                                        bool host_has_points, int num_threads,
                                        DeviceSearches& searches,
                                        Stopwatch& stopwatch) {
  DecisionGraphRun run;
  // While the GPU counts, the system clears memory for the results. It is taken
  // on this thread, for which the allocator keeps what was freed.
  const int64_t n = searches.points->num_points;
  run.densities.reserve(n);
  run.dependent_points.reserve(n);
  run.dependent_keys.reserve(n);
  std::future<void> clearing =
      std::async(std::launch::async, [n, num_threads, &run] {
        ResizeVector(n, num_threads, &run.densities);
        ResizeVector(n, num_threads, &run.dependent_points);
        ResizeVector(n, num_threads, &run.dependent_keys);
      });
  DeviceBuffer<int32_t> densities;
  RETURN_IF_ERROR(index.CountWithin(radius_key, densities));
  RETURN_IF_ERROR(Wait(densities));
  clearing.get();
  run.density_seconds = stopwatch.Lap("density");

  DeviceRanks& by_density = searches.by_density;
  RETURN_IF_ERROR(
      DensityRanksCuda(densities.data(), densities.size(), by_density));
  uint32_t top = 0;
  RETURN_IF_ERROR(by_density.order.CopyToHost(absl::MakeSpan(&top, 1)));
  DeviceBuffer<int32_t> dependent_points;
  DeviceBuffer<double> dependent_keys;
  RETURN_IF_ERROR(index.NearestOfHigherRank(by_density.ranks, dependent_points,
                                            dependent_keys));
  absl::StatusOr<double> largest = LargestKeyOf(*searches.points, top);
  if (host_has_points && absl::IsResourceExhausted(largest.status())) {
    // FinishDecisionGraph finds it.
    largest = std::numeric_limits<double>::infinity();
  }
  RETURN_IF_ERROR(largest.status());
  RETURN_IF_ERROR(
      dependent_points.CopyToHost(absl::MakeSpan(run.dependent_points)));
  RETURN_IF_ERROR(
      dependent_keys.CopyToHost(absl::MakeSpan(run.dependent_keys)));
  RETURN_IF_ERROR(densities.CopyToHost(absl::MakeSpan(run.densities)));
  run.dependent_keys[top] = *largest;
  run.dependent_seconds = stopwatch.Lap("dependent");
  return run;
}

absl::StatusOr<DecisionGraphRun> Run(const PointMatrix& prepared, Norm norm,
                                     DensityPeaksIndex kind, double radius_key,
                                     int num_threads,
                                     std::shared_ptr<const DevicePoints> begun,
                                     std::shared_ptr<DeviceSearches>* kept) {
  Stopwatch stopwatch;
  if (begun == nullptr) {
    ASSIGN_OR_RETURN(DevicePoints copied,
                     DevicePoints::FromHostApart(prepared, norm));
    begun = std::make_shared<DevicePoints>(std::move(copied));
  }
  auto searches = std::make_shared<DeviceSearches>();
  searches->points = std::move(begun);
  const DevicePoints& points = *searches->points;
  CudaIndex& index = searches->index;
  RETURN_IF_ERROR(
      BuildCudaIndex(prepared, points, kind, radius_key, num_threads, index));
  const double build_seconds = stopwatch.Lap("build");

  const auto search_by = [&](auto& made) {
    return Search(made, radius_key, /*host_has_points=*/true, num_threads,
                  *searches, stopwatch);
  };
  absl::StatusOr<DecisionGraphRun> run = index.tree.has_value()
                                             ? search_by(*index.tree)
                                             : search_by(*index.brute_force);
  if (kind == DensityPeaksIndex::kAuto && !index.tree.has_value() &&
      absl::IsResourceExhausted(run.status())) {
    // Searching a tree needs less memory.
    index.brute_force.reset();
    RETURN_IF_ERROR(BuildCudaTree(points, CudaLeafTree::Kind::kBox, index));
    run = search_by(*index.tree);
  }
  RETURN_IF_ERROR(run.status());
  run->index = std::string(index.name());
  if (index.tree.has_value()) {
    ASSIGN_OR_RETURN(run->distance_evaluations,
                     index.tree->DistanceEvaluations());
  }
  run->build_seconds = build_seconds;
  if (kept != nullptr) *kept = std::move(searches);
  return run;
}

// If they did not fit.
absl::Status NamePoints(const absl::Status& status, int32_t num_points,
                        int32_t num_dimensions) {
  return NameWhatDidNotFit(
      status, absl::StrCat("density peaks of ", num_points, " points of ",
                           num_dimensions, " dimensions on the GPU"));
}

}  // namespace

absl::StatusOr<DecisionGraphRun> DecisionGraphCuda(
    const PointMatrix& points, Metric metric, DensityPeaksIndex index,
    double cutoff_distance, int num_threads,
    std::shared_ptr<const DevicePoints> on_device,
    std::shared_ptr<DeviceSearches>* kept) {
  absl::StatusOr<DecisionGraphRun> run =
      Run(points, NormOfMetric(metric), index,
          internal::RadiusKey(metric, cutoff_distance), num_threads,
          std::move(on_device), kept);
  if (run.ok()) return run;
  return NamePoints(run.status(), points.num_points, points.num_dimensions);
}

absl::StatusOr<DecisionGraphRun> DecisionGraphByBruteForce(
    std::shared_ptr<const DevicePoints> points,
    std::shared_ptr<CudaBruteForce> brute_force, Metric metric,
    double cutoff_distance, int num_threads,
    std::shared_ptr<DeviceSearches>* kept) {
  auto searches = std::make_shared<DeviceSearches>();
  searches->points = std::move(points);
  CudaIndex& index = searches->index;
  index.brute_force = std::move(*brute_force);
  Stopwatch stopwatch;
  absl::StatusOr<DecisionGraphRun> run =
      Search(*index.brute_force, internal::RadiusKey(metric, cutoff_distance),
             /*host_has_points=*/false, num_threads, *searches, stopwatch);
  if (!run.ok()) {
    return NamePoints(run.status(), searches->points->num_points,
                      searches->points->num_dimensions);
  }
  run->index = std::string(index.name());
  if (kept != nullptr) *kept = std::move(searches);
  return run;
}

}  // namespace warpclust
