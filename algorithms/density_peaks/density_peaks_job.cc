// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density_peaks_job.h"

#include <optional>
#include <utility>

#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"
#include "algorithms/density_peaks/density/cuda/device_index.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"
#include "algorithms/density_peaks/peaks/cuda/basins_cuda.h"
#include "algorithms/density_peaks/peaks/density_significance.h"
#include "algorithms/density_peaks/peaks/judged_clusters.h"
#include "base/machine/stopwatch.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "kernels/device/device_choice.h"

namespace warpclust::internal {

absl::Status NoPoints() {
  return absl::InvalidArgumentError(
      "density peaks: expected at least one point, found none");
}

absl::Status NotStopped(const WorkShare* work) {
  return StopRequested(work) ? absl::CancelledError("density peaks: stopped")
                             : absl::OkStatus();
}

void SetCutoff(const CutoffDistance& cutoff, DensityPeaksResult* result) {
  result->graph.cutoff_distance = cutoff.distance;
  result->cutoff_quantile = cutoff.quantile;
  result->cutoff_sampled = cutoff.sampled;
  result->cutoff_replaced = cutoff.replaced;
}

absl::Status DensityPeaksJob::Prepare(bool searches_once) {
  RETURN_IF_ERROR(options_.Validate());
  if (points_->num_points == 0) return NoPoints();
  // CUDA may have to start, which is not part of the time.
  const absl::Status chosen = searches_once ? ChooseDevice() : absl::OkStatus();
  PhaseTimer timer(&result_.seconds.build, "build");
  EarlyUpload<double>* const upload = std::exchange(options_.upload, nullptr);
  RETURN_IF_ERROR(points_->ValidateSizes());
  if (searches_on_device() && CopyToDevice(upload)) return absl::OkStatus();
  // Wrong points are the error with or without a GPU.
  RETURN_IF_ERROR(
      PrepareForMetric(options_.metric, points_.get(), options_.num_threads));
  return chosen;
}

bool DensityPeaksJob::CopyToDevice(EarlyUpload<double>* upload) {
  // The points will change.
  if (IsByAngle(options_.metric)) return false;
  absl::StatusOr<std::shared_ptr<DevicePoints>> copied =
      CopyPointsToDevice(*points_, options_.metric, upload);
  // The search will copy again, and say what does not fit.
  if (!copied.ok()) return false;
  on_device_ = *std::move(copied);
  return HasLegalCoordinates(*on_device_);
}

absl::Status DensityPeaksJob::FindCutoffAndGraph() {
  RETURN_IF_ERROR(
      FindCutoff(*points_, options_, device_, &result_, on_device_));
  if (is_gaussian()) RETURN_IF_ERROR(FindGaussianDensities());
  return FindGraph(/*searches_end=*/!ClustersNeedSearches());
}

void DensityPeaksJob::FreeSearches() {
  if (ClustersNeedSearches()) return;
  start_ = DecisionGraphStart();
  points_ = std::make_shared<PointMatrix>();
}

absl::Status DensityPeaksJob::FindClusters() {
  if (is_gaussian()) return FindGaussianClusters();
  if (by_significance()) {
    RETURN_IF_ERROR(FindSignificantClusters());
  } else {
    PhaseTimer timer(&result_.seconds.assignment, "assignment");
    ASSIGN_OR_RETURN(
        const std::vector<int32_t> peaks,
        SelectPeaks(result_.graph, options_.peaks, options_.num_threads));
    const int32_t density_min = options_.peaks.density_min;
    if (device_ == Device::kCuda) {
      ASSIGN_OR_RETURN(result_.clusters,
                       AssignClustersCuda(result_.graph, peaks, density_min,
                                          options_.num_threads));
    } else {
      result_.clusters = AssignClusters(result_.graph, peaks, density_min,
                                        options_.num_threads);
    }
  }
  if (!options_.halo) return absl::OkStatus();
  ASSIGN_OR_RETURN(result_.clusters.halo,
                   Halo(result_.graph, result_.clusters));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<uint8_t>> DensityPeaksJob::Halo(
    const DecisionGraph& graph, const Clusters& clusters) {
  // After a search on the GPU there is no index yet.
  RETURN_IF_ERROR(MakeIndexOnce(graph.cutoff_distance));
  PhaseTimer timer(&result_.seconds.assignment, "assignment");
  return FindHalo(*index_, options_.metric, graph, clusters);
}

bool DensityPeaksJob::ClustersNeedSearches() const {
  return by_significance() || options_.halo;
}

int32_t DensityPeaksJob::dimensions() const {
  return SignificanceDimensions(options_.metric, points_->num_dimensions);
}

absl::Status DensityPeaksJob::ChooseDevice() {
  ASSIGN_OR_RETURN(
      device_, ResolveDevice(options_.device,
                             Expect(MeasurePointsJob(*points_, options_.peaks),
                                    options_.num_threads)));
  return absl::OkStatus();
}

absl::Status DensityPeaksJob::MakeIndexOnce(double cutoff_distance) {
  if (index_ != nullptr) return absl::OkStatus();
  PhaseTimer timer(&result_.seconds.build, "build");
  // Of counts, DecisionGraphCuda does what is done on the GPU.
  ASSIGN_OR_RETURN(index_,
                   MakeIndexOn(is_gaussian() ? device_ : Device::kCpu, *points_,
                               options_.metric, options_.index, cutoff_distance,
                               options_.num_threads));
  index_->StopWith(options_.work);
  return NotStopped(options_.work);
}

absl::Status DensityPeaksJob::FindGraph(bool searches_end) {
  RETURN_IF_ERROR(NotStopped(options_.work));
  const double cutoff = result_.graph.cutoff_distance;
  DecisionGraphRun run;
  if (searches_on_device()) {
    ASSIGN_OR_RETURN(
        run, DecisionGraphCuda(
                 *points_, options_.metric, options_.index, cutoff,
                 options_.num_threads, std::exchange(on_device_, nullptr),
                 by_significance() ? &searches_on_device_ : nullptr));
  } else {
    RETURN_IF_ERROR(WithIndex([&] { return SearchIndex(&run); }));
    if (searches_end) index_ = nullptr;
    if (start_.rankings == nullptr) {
      TakeDependents(start_.nearest, options_.num_threads, &run);
    }
    run.dependent_keys[farthest_.id] = farthest_.key;
    if (searches_end) start_.nearest = {};
  }
  RETURN_IF_ERROR(NotStopped(options_.work));
  result_.index = run.index;
  result_.distance_evaluations = run.distance_evaluations;
  result_.seconds.build += run.build_seconds;
  result_.seconds.density += run.density_seconds;
  result_.seconds.dependent += run.dependent_seconds;
  PhaseTimer timer(&result_.seconds.dependent, "dependent");
  result_.graph = FinishDecisionGraph(*points_, options_.metric, cutoff,
                                      options_.num_threads, std::move(run));
  return absl::OkStatus();
}

template <typename Step>
absl::Status DensityPeaksJob::WithIndex(const Step& step) {
  const auto search = [&]() -> absl::Status {
    RETURN_IF_ERROR(MakeIndexOnce(result_.graph.cutoff_distance));
    return step();
  };
  // Other indexes are on the CPU.
  if (!is_gaussian()) return search();
  return OnCpuIfExhausted(&device_, [&] {
    const absl::Status status = search();
    if (!status.ok()) index_ = nullptr;
    return status;
  });
}

absl::Status DensityPeaksJob::SearchIndex(DecisionGraphRun* run) {
  if (is_gaussian()) start_.densities = DensitiesByRank(densities_);
  ASSIGN_OR_RETURN(*run, DecisionGraphCpu(*index_, options_.metric,
                                          result_.graph.cutoff_distance,
                                          &start_, options_.num_threads));
  return FindFarthest();
}

absl::Status DensityPeaksJob::FindFarthest() {
  const PhaseTimer timer(&result_.seconds.dependent, "dependent");
  const int32_t top = start_.ranks.order[0];
  if (farthest_.id == top) return absl::OkStatus();
  const double* row = points_->Row(top);
  ASSIGN_OR_RETURN(
      std::optional<double> key,
      index_->LargestKeyOf(absl::MakeConstSpan(row, points_->num_dimensions)));
  if (!key.has_value()) {
    key = LargestKey(*points_, NormOfMetric(options_.metric), row,
                     options_.num_threads);
  }
  farthest_ = {*key, top};
  return absl::OkStatus();
}

absl::Status DensityPeaksJob::FindGaussianDensities() {
  return WithIndex([&]() -> absl::Status {
    const PhaseTimer timer(&result_.seconds.density, "density");
    ASSIGN_OR_RETURN(densities_,
                     GaussianDensities(*index_, options_.metric,
                                       result_.graph.cutoff_distance));
    return absl::OkStatus();
  });
}

absl::Status DensityPeaksJob::FindGaussianClusters() {
  ASSIGN_OR_RETURN(const Basins basins, FindAllBasins());
  const PhaseTimer timer(&result_.seconds.assignment, "assignment");
  TakeClusters(ClusterByDensities(densities_, basins, result_.graph,
                                  start_.ranks, dimensions(),
                                  options_.num_threads));
  return absl::OkStatus();
}

void DensityPeaksJob::TakeClusters(JudgedClusters clusters) {
  result_.clusters = std::move(clusters.clusters);
  result_.significance = std::move(clusters.significance);
}

absl::Status DensityPeaksJob::FindSignificantClusters() {
  ASSIGN_OR_RETURN(const Basins basins, FindAllBasins());
  const PhaseTimer timer(&result_.seconds.assignment, "assignment");
  TakeClusters(ClusterBySignificance(result_.graph, basins, dimensions(),
                                     options_.peaks.density_min,
                                     options_.num_threads));
  return absl::OkStatus();
}

absl::StatusOr<Basins> DensityPeaksJob::FindAllBasins() {
  const DecisionGraph& graph = result_.graph;
  const double cutoff = graph.cutoff_distance;
  if (searches_on_device_ != nullptr) {
    const PhaseTimer timer(&result_.seconds.saddles, "saddles");
    absl::StatusOr<Basins> basins = FindBasinsCuda(
        graph, *searches_on_device_, RadiusKey(options_.metric, cutoff),
        options_.num_threads);
    searches_on_device_ = nullptr;
    if (!absl::IsResourceExhausted(basins.status())) return basins;
  }
  Basins basins;
  RETURN_IF_ERROR(WithIndex([&]() -> absl::Status {
    const PhaseTimer timer(&result_.seconds.saddles, "saddles");
    if (start_.ranks.ranks.empty()) {
      start_.ranks = RanksOfDensities(graph.densities, options_.num_threads);
    }
    absl::Span<const int32_t> slot_ranks;
    if (start_.rankings != nullptr) slot_ranks = start_.rankings->slot_ranks();
    ASSIGN_OR_RETURN(basins,
                     FindBasins(graph, start_.ranks, *index_,
                                RadiusKey(options_.metric, cutoff),
                                options_.num_threads, &joined_, slot_ranks));
    return absl::OkStatus();
  }));
  return basins;
}

}  // namespace warpclust::internal
