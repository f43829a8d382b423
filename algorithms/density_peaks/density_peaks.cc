// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density_peaks.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density/cuda/device_cutoff.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density_peaks_job.h"
#include "algorithms/density_peaks/neighbor_sweep.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"

namespace warpclust {

absl::Status internal::FindCutoff(
    const PointMatrix& points, const DensityPeaksOptions& options,
    Device device, DensityPeaksResult* result,
    std::shared_ptr<const DevicePoints> on_device) {
  PhaseTimer timer(&result->seconds.cutoff, "cutoff");
  result->graph.cutoff_distance = options.cutoff_distance;
  if (options.cutoff_distance > 0) return absl::OkStatus();
  // Later steps see the distance, not the key that it comes from: giving the
  // reported distance is the same job.
  ASSIGN_OR_RETURN(
      const std::vector<CutoffDistance> cutoffs,
      ChooseCutoffDistancesOn(
          device, points, options.metric,
          {CutoffQuantile(options, points.num_points, points.num_dimensions)},
          options.seed, options.num_threads, std::move(on_device)));
  SetCutoff(cutoffs[0], result);
  return absl::OkStatus();
}

std::optional<double> WeakestSigma(const DensityPeaksResult& result) {
  std::optional<double> weakest;
  const std::vector<double>& sigmas = result.significance.sigmas;
  for (size_t c = 0; c < sigmas.size(); ++c) {
    if (result.graph.dependent_points[result.clusters.peaks[c]] < 0) continue;
    if (!weakest.has_value() || sigmas[c] < *weakest) weakest = sigmas[c];
  }
  return weakest;
}

PointsJob MeasurePointsJob(const PointMatrix& points,
                           const PeakSelection& peaks) {
  return {points.num_points, points.num_dimensions,
          peaks.rule == PeakSelection::Rule::kSignificance};
}

absl::StatusOr<DensityPeaksResult> DensityPeaks(
    PointMatrix points, const DensityPeaksOptions& options) {
  if (UsesNeighbors(options.density)) {
    return internal::DensityPeaksByNeighbors(std::move(points), options);
  }
  internal::DensityPeaksJob job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare(/*searches_once=*/true));
  RETURN_IF_ERROR(job.FindCutoffAndGraph());
  job.FreeSearches();
  RETURN_IF_ERROR(job.FindClusters());
  return job.TakeResult();
}

absl::StatusOr<DensityPeaksResult> ComputeDecisionGraph(
    PointMatrix points, const DensityPeaksOptions& options) {
  DensityPeaksOptions graph_options = options;
  graph_options.cutoff_quantile =
      CutoffQuantile(options, points.num_points, points.num_dimensions);
  graph_options.peaks = PeakSelection();
  internal::DensityPeaksJob job(std::move(points), graph_options);
  RETURN_IF_ERROR(job.Prepare(/*searches_once=*/true));
  RETURN_IF_ERROR(job.FindCutoffAndGraph());
  return job.TakeResult();
}

absl::StatusOr<Clusters> ClusterByPeaks(const DecisionGraph& graph,
                                        const PeakSelection& peaks) {
  RETURN_IF_ERROR(graph.Validate());
  if (graph.num_points() == 0) return internal::NoPoints();
  ASSIGN_OR_RETURN(const std::vector<int32_t> selected,
                   SelectPeaks(graph, peaks));
  return AssignClusters(graph, selected, peaks.density_min);
}

absl::StatusOr<std::vector<uint8_t>> ComputeHalo(
    PointMatrix points, const DensityPeaksOptions& options,
    const DecisionGraph& graph, const Clusters& clusters) {
  RETURN_IF_ERROR(graph.Validate());
  if (points.num_points != graph.num_points() ||
      clusters.labels.size() != graph.densities.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("halo: expected a graph and clusters of ",
                     points.num_points, " points, found ", graph.num_points(),
                     " and ", clusters.labels.size()));
  }
  // The comparison is false for NaN.
  if (!(graph.cutoff_distance > 0) || std::isinf(graph.cutoff_distance)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "halo: expected a graph with a cutoff distance above 0, found ",
        graph.cutoff_distance));
  }
  for (const int32_t label : clusters.labels) {
    if (label < 0 || label >= clusters.num_clusters()) {
      return absl::InvalidArgumentError(
          absl::StrCat("halo: expected labels from 0 to ",
                       clusters.num_clusters() - 1, ", found ", label));
    }
  }
  internal::DensityPeaksJob job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare(/*searches_once=*/false));
  return job.Halo(graph, clusters);
}

}  // namespace warpclust
