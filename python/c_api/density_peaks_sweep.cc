// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface of sweeps of density peaks.

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/neighbor_sweep.h"
#include "algorithms/density_peaks/sweep_values.h"
#include "base/status/status_macros.h"
#include "eval/partition_sweep.h"
#include "python/c_api/arguments.h"
#include "python/c_api/call.h"
#include "python/c_api/density_peaks_arguments.h"
#include "python/c_api/result_storage.h"
#include "python/c_api/warpclust.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// By value, as in warpclust_density_peaks_sweep_result.
struct SweepColumns {
  std::vector<double> quantiles;
  std::vector<double> distances;
  std::vector<int32_t> neighbors;
  std::vector<int32_t> clusters;
  std::vector<int32_t> largest;
  std::vector<int32_t> noise;
  std::vector<int32_t> candidates;
  std::vector<double> least_sigmas;
  std::vector<double> weakest_sigmas;
  std::vector<double> agreements;
  std::vector<uint8_t> stable;
  std::vector<int32_t> labels;
};

double OrNan(std::optional<double> value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

void Append(const DensityPeaksResult& result, bool keep_labels,
            SweepColumns* to) {
  const Clusters& clusters = result.clusters;
  to->distances.push_back(result.graph.cutoff_distance);
  to->noise.push_back(clusters.num_noise());
  to->candidates.push_back(result.significance.num_candidates);
  to->least_sigmas.push_back(result.significance.least_sigma);
  to->weakest_sigmas.push_back(OrNan(WeakestSigma(result)));
  if (keep_labels) {
    to->labels.insert(to->labels.end(), clusters.labels.begin(),
                      clusters.labels.end());
  }
}

absl::Status SweepInto(PointMatrix points, const DensityPeaksOptions& options,
                       const warpclust_density_peaks_range& range,
                       SweepColumns* columns) {
  PartitionSweep partitions(options.num_threads);
  const auto num_points = static_cast<size_t>(points.num_points);
  const auto reserve_labels = [&](size_t num_values) {
    if (range.keep_labels == 0) return;
    columns->labels.reserve(num_values * num_points);
  };
  const auto add = [&](const DensityPeaksResult& result) {
    Append(result, range.keep_labels != 0, columns);
    return partitions.Add(result.clusters.labels,
                          result.clusters.num_clusters());
  };
  if (UsesNeighbors(options.density)) {
    ASSIGN_OR_RETURN(columns->neighbors,
                     SweepNumbers(range.first, range.last, range.num_values));
    ClampSweepNumbers(points.num_points, &columns->neighbors);
    reserve_labels(columns->neighbors.size());
    RETURN_IF_ERROR(
        SweepNeighbors(std::move(points), options, columns->neighbors, add));
  } else {
    ASSIGN_OR_RETURN(columns->quantiles,
                     SweepQuantiles(range.first, range.last, range.num_values));
    reserve_labels(columns->quantiles.size());
    RETURN_IF_ERROR(
        SweepDensityPeaks(std::move(points), options, columns->quantiles, add));
  }
  partitions.MarkStable();
  for (const PartitionStep& step : partitions.steps()) {
    columns->clusters.push_back(step.clusters);
    columns->largest.push_back(step.largest);
    columns->agreements.push_back(OrNan(step.agreement));
    columns->stable.push_back(step.stable);
  }
  return absl::OkStatus();
}

void Return(SweepColumns columns, int32_t num_points,
            warpclust_density_peaks_sweep_result* to) {
  auto* stored = StoreResult(std::move(columns));
  const SweepColumns& value = stored->value;
  const bool by_neighbors = !value.neighbors.empty();
  *to = {.num_values = static_cast<int32_t>(value.clusters.size()),
         .num_points = num_points,
         .cutoff_quantiles = by_neighbors ? nullptr : value.quantiles.data(),
         .cutoff_distances = by_neighbors ? nullptr : value.distances.data(),
         .neighbors = by_neighbors ? value.neighbors.data() : nullptr,
         .num_clusters = value.clusters.data(),
         .largest = value.largest.data(),
         .noise = value.noise.data(),
         .num_candidates = value.candidates.data(),
         .least_sigmas = value.least_sigmas.data(),
         .weakest_sigmas = value.weakest_sigmas.data(),
         .agreements = value.agreements.data(),
         .stable = value.stable.data(),
         .labels = value.labels.empty() ? nullptr : value.labels.data(),
         .storage = static_cast<ResultStorage*>(stored)};
}

}  // namespace
}  // namespace warpclust

warpclust_status warpclust_density_peaks_sweep(
    const warpclust_points* points,
    const warpclust_density_peaks_options* options,
    const warpclust_density_peaks_range* range, const warpclust_run* run,
    warpclust_density_peaks_sweep_result* result) {
  return warpclust::Call(
      run, [&](const warpclust::CallOptions& call) -> absl::Status {
        ASSIGN_OR_RETURN(auto search, warpclust::ToOptions(options, call));
        search.halo = false;
        ASSIGN_OR_RETURN(auto matrix,
                         warpclust::ToPoints(*points, call.num_threads));
        warpclust::SweepColumns columns;
        RETURN_IF_ERROR(
            warpclust::SweepInto(std::move(matrix), search, *range, &columns));
        warpclust::Return(std::move(columns), points->num_points, result);
        return absl::OkStatus();
      });
}
