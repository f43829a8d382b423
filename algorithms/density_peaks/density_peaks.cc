// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density_peaks.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device_choice.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace {

absl::Status OutOfRange(absl::string_view field, absl::string_view expected,
                        double found) {
  return absl::InvalidArgumentError(absl::StrCat("DensityPeaksOptions::", field,
                                                 ": expected ", expected,
                                                 ", found ", found));
}

absl::Status NoPoints() {
  return absl::InvalidArgumentError(
      "density peaks: expected at least one point, found none");
}

// The state that the steps of one job share.
class Job {
 public:
  Job(PointMatrix points, const DensityPeaksOptions& options)
      : points_(std::move(points)), options_(options) {}

  // Call it first.
  absl::Status Prepare() {
    PhaseTimer timer(&result_.seconds.build, "build");
    RETURN_IF_ERROR(options_.Validate());
    if (points_.num_points == 0) return NoPoints();
    return PrepareForMetric(options_.metric, &points_);
  }

  absl::Status FindGraph() {
    ASSIGN_OR_RETURN(
        device_, ResolveDevice(options_.device,
                               Expect(MeasurePointsJob(points_, options_.peaks),
                                      options_.num_threads)));
    RETURN_IF_ERROR(internal::FindCutoff(points_, options_, &result_));
    const double cutoff = result_.graph.cutoff_distance;
    DecisionGraphRun run;
    if (device_ == Device::kCuda) {
      ASSIGN_OR_RETURN(
          run,
          DecisionGraphCuda(points_, options_.metric, options_.index, cutoff,
                            options_.num_threads,
                            by_significance() ? &search_on_device_ : nullptr));
    } else {
      RETURN_IF_ERROR(MakeIndexOnce(cutoff));
      ASSIGN_OR_RETURN(run, DecisionGraphCpu(*index_, options_.metric, cutoff));
    }
    result_.index = run.index;
    result_.distance_evaluations = run.distance_evaluations;
    result_.seconds.build += run.build_seconds;
    result_.seconds.density += run.density_seconds;
    result_.seconds.dependent += run.dependent_seconds;
    PhaseTimer timer(&result_.seconds.dependent, "dependent");
    result_.graph = FinishDecisionGraph(points_, options_.metric, cutoff,
                                        options_.num_threads, std::move(run));
    return absl::OkStatus();
  }

  absl::Status FindClusters() {
    if (by_significance()) {
      RETURN_IF_ERROR(FindSignificantClusters());
    } else {
      PhaseTimer timer(&result_.seconds.assignment, "assignment");
      ASSIGN_OR_RETURN(const std::vector<int32_t> peaks,
                       SelectPeaks(result_.graph, options_.peaks));
      const int32_t density_min = options_.peaks.density_min;
      if (device_ == Device::kCuda) {
        ASSIGN_OR_RETURN(result_.clusters,
                         AssignClustersCuda(result_.graph, peaks, density_min));
      } else {
        result_.clusters = AssignClusters(result_.graph, peaks, density_min);
      }
    }
    if (!options_.halo) return absl::OkStatus();
    ASSIGN_OR_RETURN(result_.clusters.halo,
                     Halo(result_.graph, result_.clusters));
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<uint8_t>> Halo(const DecisionGraph& graph,
                                            const Clusters& clusters) {
    // After a search on the GPU there is no index yet.
    RETURN_IF_ERROR(MakeIndexOnce(graph.cutoff_distance));
    PhaseTimer timer(&result_.seconds.assignment, "assignment");
    return FindHalo(*index_, options_.metric, graph, clusters);
  }

  // Forgets the result, and the index on the GPU. The next one has this d_c.
  void Restart(double cutoff_quantile) {
    options_.cutoff_distance = 0;
    options_.cutoff_quantile = cutoff_quantile;
    search_on_device_ = nullptr;
    result_ = DensityPeaksResult();
  }

  DensityPeaksResult TakeResult() { return std::move(result_); }

 private:
  bool by_significance() const {
    return options_.peaks.rule == PeakSelection::Rule::kSignificance;
  }

  absl::Status FindSignificantClusters() {
    const DecisionGraph& graph = result_.graph;
    ASSIGN_OR_RETURN(const Basins basins, FindAllBasins());
    const PhaseTimer timer(&result_.seconds.assignment, "assignment");
    const int32_t dimensions = internal::SignificanceDimensions(
        options_.metric, points_.num_dimensions);
    const int32_t density_min = options_.peaks.density_min;
    SignificantPeaks found =
        SelectSignificantPeaks(graph, basins, dimensions, density_min);
    result_.clusters = NumberClusters(std::move(found.labels), found.peaks,
                                      graph, density_min);
    result_.significance =
        SignificanceOf(graph, basins, dimensions, result_.clusters.peaks);
    return absl::OkStatus();
  }

  absl::StatusOr<Basins> FindAllBasins() {
    const double cutoff = result_.graph.cutoff_distance;
    if (search_on_device_ != nullptr) {
      absl::StatusOr<Basins> basins = FindBasinsBy(search_on_device_);
      search_on_device_ = nullptr;
      if (!absl::IsResourceExhausted(basins.status())) return basins;
    }
    RETURN_IF_ERROR(MakeIndexOnce(cutoff));
    const double key = internal::RadiusKey(options_.metric, cutoff);
    return FindBasinsBy([this, key](absl::Span<const int32_t> ranks,
                                    absl::Span<const int32_t> labels,
                                    absl::Span<int32_t> best) {
      return index_->HighestRankOfOtherLabel(key, ranks, labels, best);
    });
  }

  absl::StatusOr<Basins> FindBasinsBy(const OtherLabelSearch& search) {
    const PhaseTimer timer(&result_.seconds.saddles, "saddles");
    const DecisionGraph& graph = result_.graph;
    return FindBasins(graph, RanksOfDensities(graph.densities), search,
                      options_.num_threads);
  }

  absl::Status MakeIndexOnce(double cutoff_distance) {
    if (index_ != nullptr) return absl::OkStatus();
    PhaseTimer timer(&result_.seconds.build, "build");
    ASSIGN_OR_RETURN(index_, MakeIndex(points_, options_.metric, options_.index,
                                       cutoff_distance, options_.num_threads));
    return absl::OkStatus();
  }

  PointMatrix points_;
  DensityPeaksOptions options_;
  Device device_ = Device::kCpu;
  std::unique_ptr<NeighborIndex> index_;
  // Null on the CPU.
  OtherLabelSearch search_on_device_;
  DensityPeaksResult result_;
};

}  // namespace

absl::Status DensityPeaksOptions::Validate() const {
  // The comparisons are false for NaN.
  if (!(cutoff_distance >= 0) || std::isinf(cutoff_distance)) {
    return OutOfRange("cutoff_distance",
                      "a distance above 0, or 0 for the quantile",
                      cutoff_distance);
  }
  if (!(cutoff_quantile >= 0 && cutoff_quantile <= 1)) {
    return OutOfRange("cutoff_quantile", "at least 0 and at most 1",
                      cutoff_quantile);
  }
  RETURN_IF_ERROR(peaks.Validate());
  return ValidateNumThreads(num_threads);
}

double CutoffQuantile(const DensityPeaksOptions& options, int32_t num_points) {
  if (options.cutoff_quantile > 0) return options.cutoff_quantile;
  if (options.peaks.rule != PeakSelection::Rule::kSignificance) return 0.02;
  return std::min(1.0, 0.6 / std::sqrt(std::max(num_points, 1)));
}

absl::Status internal::FindCutoff(const PointMatrix& points,
                                  const DensityPeaksOptions& options,
                                  DensityPeaksResult* result) {
  PhaseTimer timer(&result->seconds.cutoff, "cutoff");
  result->graph.cutoff_distance = options.cutoff_distance;
  if (options.cutoff_distance > 0) return absl::OkStatus();
  // Later steps see the distance, not the key that it comes from: giving the
  // reported distance is the same job.
  ASSIGN_OR_RETURN(
      const CutoffDistance cutoff,
      ChooseCutoffDistance(points, options.metric,
                           CutoffQuantile(options, points.num_points),
                           options.seed, options.num_threads));
  result->graph.cutoff_distance = cutoff.distance;
  result->cutoff_sampled = cutoff.sampled;
  result->cutoff_replaced = cutoff.replaced;
  return absl::OkStatus();
}

int32_t internal::SignificanceDimensions(Metric metric,
                                         int32_t num_coordinates) {
  const bool directions =
      metric == Metric::kAngular || metric == Metric::kCosine;
  return std::max(1, num_coordinates - (directions ? 1 : 0));
}

PointsJob MeasurePointsJob(const PointMatrix& points,
                           const PeakSelection& peaks) {
  return {points.num_points, points.num_dimensions,
          peaks.rule == PeakSelection::Rule::kSignificance};
}

absl::StatusOr<DensityPeaksResult> DensityPeaks(
    PointMatrix points, const DensityPeaksOptions& options) {
  Job job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare());
  RETURN_IF_ERROR(job.FindGraph());
  RETURN_IF_ERROR(job.FindClusters());
  return job.TakeResult();
}

absl::Status SweepDensityPeaks(
    PointMatrix points, const DensityPeaksOptions& options,
    absl::Span<const double> quantiles,
    absl::FunctionRef<absl::Status(const DensityPeaksResult&)> visit) {
  for (const double quantile : quantiles) {
    if (!(quantile > 0 && quantile <= 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("density peaks: expected quantiles above 0 and at most "
                       "1, found ",
                       quantile));
    }
  }
  Job job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare());
  for (const double quantile : quantiles) {
    job.Restart(quantile);
    RETURN_IF_ERROR(job.FindGraph());
    RETURN_IF_ERROR(job.FindClusters());
    RETURN_IF_ERROR(visit(job.TakeResult()));
  }
  return absl::OkStatus();
}

absl::StatusOr<DensityPeaksResult> ComputeDecisionGraph(
    PointMatrix points, const DensityPeaksOptions& options) {
  DensityPeaksOptions graph_options = options;
  graph_options.cutoff_quantile = CutoffQuantile(options, points.num_points);
  graph_options.peaks = PeakSelection();
  Job job(std::move(points), graph_options);
  RETURN_IF_ERROR(job.Prepare());
  RETURN_IF_ERROR(job.FindGraph());
  return job.TakeResult();
}

absl::StatusOr<Clusters> ClusterByPeaks(const DecisionGraph& graph,
                                        const PeakSelection& peaks) {
  RETURN_IF_ERROR(graph.Validate());
  if (graph.num_points() == 0) return NoPoints();
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
  Job job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare());
  return job.Halo(graph, clusters);
}

}  // namespace warpclust
