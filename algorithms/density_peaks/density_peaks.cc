// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/density_peaks.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density/cuda/decision_graph_cuda.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density/make_index.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/density/sweep_searches.h"
#include "algorithms/density_peaks/peaks/assignment.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/cuda/assignment_cuda.h"
#include "algorithms/density_peaks/peaks/density_significance.h"
#include "base/machine/compute_in_order.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/machine/work_share.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "vptree/points/metric.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace {

// The values of a sweep that are counted together: 4 bytes per point each.
constexpr size_t kSweptAtOnce = 16;
// Values are found at the same time by parts of the threads: what one thread
// does for a value, such as joining basins, is hidden by other values. Each
// value takes about 100 bytes per point. Of small sets each has one thread, or
// more if there are fewer values than threads: loops over few points are too
// short for several.
constexpr int32_t kFewPoints = 1 << 17;
constexpr size_t kFewCoordinates = 1 << 19;
constexpr int kThreadsPerValue = 4;
constexpr int kMostValuesAtOnce = 4;
// Finding neighbors takes as long as the dependent points of a few values.
constexpr size_t kLeastForNeighbors = 6;

absl::Status NoPoints() {
  return absl::InvalidArgumentError(
      "density peaks: expected at least one point, found none");
}

void SetCutoff(const CutoffDistance& cutoff, DensityPeaksResult* result) {
  result->graph.cutoff_distance = cutoff.distance;
  result->cutoff_quantile = cutoff.quantile;
  result->cutoff_sampled = cutoff.sampled;
  result->cutoff_replaced = cutoff.replaced;
}

// The state that the steps of one job share.
class Job {
 public:
  Job(PointMatrix points, const DensityPeaksOptions& options)
      : Job(std::make_shared<PointMatrix>(std::move(points)), options) {}

  // Call it first.
  absl::Status Prepare() {
    PhaseTimer timer(&result_.seconds.build, "build");
    RETURN_IF_ERROR(options_.Validate());
    if (points_->num_points == 0) return NoPoints();
    if (IsByAngle(options_.metric)) options_.upload = nullptr;
    return PrepareForMetric(options_.metric, points_.get(),
                            options_.num_threads);
  }

  absl::Status FindCutoffAndGraph() {
    RETURN_IF_ERROR(ChooseDevice());
    RETURN_IF_ERROR(internal::FindCutoff(*points_, options_, &result_));
    if (options_.density != PointDensity::kCount) {
      RETURN_IF_ERROR(FindDensities());
      // What follows is on the CPU.
      device_ = Device::kCpu;
    }
    return FindGraph(/*searches_end=*/!ClustersNeedSearches());
  }

  // Frees what FindClusters does not need. Not in a sweep.
  void FreeSearches() {
    if (ClustersNeedSearches()) return;
    start_ = DecisionGraphStart();
    points_ = std::make_shared<PointMatrix>();
  }

  absl::Status FindClusters() {
    if (options_.density != PointDensity::kCount) {
      return FindClustersByDensity();
    }
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

  absl::StatusOr<std::vector<uint8_t>> Halo(const DecisionGraph& graph,
                                            const Clusters& clusters) {
    // After a search on the GPU there is no index yet.
    RETURN_IF_ERROR(MakeIndexOnce(graph.cutoff_distance));
    PhaseTimer timer(&result_.seconds.assignment, "assignment");
    return FindHalo(*index_, options_.metric, graph, clusters);
  }

  // The results for some quantiles, in order. What one search finds helps the
  // next ones.
  absl::Status Sweep(
      absl::Span<const double> quantiles,
      absl::FunctionRef<absl::Status(const DensityPeaksResult&)> visit) {
    RETURN_IF_ERROR(ChooseDevice());
    options_.cutoff_distance = 0;
    std::vector<DensityPeaksResult> results(quantiles.size());
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(
        const std::vector<CutoffDistance> cutoffs,
        ChooseCutoffDistances(*points_, options_.metric, quantiles,
                              options_.seed, options_.num_threads));
    const double seconds = stopwatch.Lap("cutoff");
    for (size_t q = 0; q < quantiles.size(); ++q) {
      SetCutoff(cutoffs[q], &results[q]);
      results[q].seconds.cutoff = seconds / quantiles.size();
    }
    SweptDensities swept;
    swept.densities.resize(quantiles.size());
    swept.places.resize(quantiles.size());
    if (device_ == Device::kCpu) {
      RETURN_IF_ERROR(MakeIndexOnce(results[0].graph.cutoff_distance));
      if (quantiles.size() >= kLeastForNeighbors) {
        const PhaseTimer timer(&results[0].seconds.dependent, "dependent");
        RETURN_IF_ERROR(index_->KeepNeighbors());
      }
      ASSIGN_OR_RETURN(swept, CountForResults(results));
    }
    std::vector<NearestPoint> nearest;
    if (device_ == Device::kCpu && index_->searches_rankings_together()) {
      const PhaseTimer timer(&results[0].seconds.dependent, "dependent");
      ASSIGN_OR_RETURN(nearest, FindDependentsOfEach(*index_, swept.densities,
                                                     options_.num_threads));
    }
    const int all_threads = ResolveThreads(options_.num_threads);
    const int num_jobs = std::min(ValuesAtOnce(swept, all_threads),
                                  static_cast<int>(quantiles.size()));
    start_.rankings = std::move(swept.rankings);
    UseThreads(all_threads / num_jobs);
    std::vector<std::unique_ptr<Job>> others;
    for (int j = 1; j < num_jobs; ++j) others.push_back(Copy());
    const auto find = [&](int j, int q) {
      Job& job = j == 0 ? *this : *others[j - 1];
      job.start_.densities = std::move(swept.densities[q]);
      job.start_.ranking = swept.places[q];
      if (!nearest.empty()) {
        const auto begin = nearest.begin() + int64_t{q} * points_->num_points;
        job.start_.nearest.assign(begin, begin + points_->num_points);
        job.start_.nearest_is_known = true;
      }
      return job.FindValue(&results[q]);
    };
    const absl::Status status = ComputeInOrder(
        static_cast<int>(quantiles.size()), num_jobs, find, [&](int q) {
          return visit(std::exchange(results[q], DensityPeaksResult()));
        });
    UseThreads(all_threads);
    return status;
  }

  DensityPeaksResult TakeResult() { return std::move(result_); }

 private:
  Job(std::shared_ptr<PointMatrix> points, const DensityPeaksOptions& options)
      : points_(std::move(points)), options_(options) {}

  bool by_significance() const {
    return options_.peaks.rule == PeakSelection::Rule::kSignificance;
  }
  bool ClustersNeedSearches() const {
    return by_significance() || options_.halo ||
           options_.density != PointDensity::kCount;
  }

  // How many values of a sweep are found at the same time.
  int ValuesAtOnce(const SweptDensities& swept, int num_threads) const {
    if (device_ != Device::kCpu || index_->searches_rankings_together()) {
      return 1;
    }
    if (num_threads >= kThreadsPerValue && points_->num_points <= kFewPoints &&
        points_->values.size() <= kFewCoordinates) {
      return num_threads;
    }
    // Otherwise searches, which have work for all threads, are most of it.
    if (swept.rankings == nullptr) return 1;
    return std::clamp(num_threads / kThreadsPerValue, 1, kMostValuesAtOnce);
  }

  // A job that finds other values of the sweep.
  std::unique_ptr<Job> Copy() const {
    std::unique_ptr<Job> job(new Job(points_, options_));
    job->device_ = device_;
    job->index_ = index_;
    if (start_.rankings != nullptr) {
      job->start_.rankings = start_.rankings->Copy();
    }
    return job;
  }

  void UseThreads(int num_threads) {
    options_.num_threads = num_threads;
    if (index_ != nullptr) index_->SetNumThreads(num_threads);
  }

  // Finds the value of a sweep that `result` and start_ have the beginnings of.
  absl::Status FindValue(DensityPeaksResult* result) {
    result_ = std::move(*result);
    RETURN_IF_ERROR(FindGraph(/*searches_end=*/false));
    RETURN_IF_ERROR(FindClusters());
    *result = TakeResult();
    search_on_device_ = nullptr;
    result_ = DensityPeaksResult();
    start_.ranks = DensityRanks();
    return absl::OkStatus();
  }

  absl::Status NotStopped() const {
    return StopRequested(options_.work)
               ? absl::CancelledError("density peaks: stopped")
               : absl::OkStatus();
  }

  // The graph of the cutoff distance in the result. `searches_end`: the index
  // is needed no more.
  absl::Status FindGraph(bool searches_end) {
    RETURN_IF_ERROR(NotStopped());
    const double cutoff = result_.graph.cutoff_distance;
    DecisionGraphRun run;
    if (device_ == Device::kCuda) {
      ASSIGN_OR_RETURN(
          run,
          DecisionGraphCuda(*points_, options_.metric, options_.index, cutoff,
                            options_.num_threads,
                            std::exchange(options_.upload, nullptr),
                            by_significance() ? &search_on_device_ : nullptr));
    } else {
      RETURN_IF_ERROR(MakeIndexOnce(cutoff));
      ASSIGN_OR_RETURN(run, DecisionGraphCpu(*index_, options_.metric, cutoff,
                                             &start_, options_.num_threads));
      RETURN_IF_ERROR(FindFarthest());
      if (searches_end) index_ = nullptr;
      if (start_.rankings == nullptr) {
        TakeDependents(start_.nearest, options_.num_threads, &run);
      }
      run.dependent_keys[farthest_.id] = farthest_.key;
      if (searches_end) start_.nearest = {};
    }
    RETURN_IF_ERROR(NotStopped());
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

  // Sets farthest_ for the point of rank 0, which is mostly the same one in a
  // sweep.
  absl::Status FindFarthest() {
    const PhaseTimer timer(&result_.seconds.dependent, "dependent");
    const int32_t top = start_.ranks.order[0];
    if (farthest_.id == top) return absl::OkStatus();
    const double* row = points_->Row(top);
    ASSIGN_OR_RETURN(std::optional<double> key,
                     index_->LargestKeyOf(
                         absl::MakeConstSpan(row, points_->num_dimensions)));
    if (!key.has_value()) {
      key = LargestKey(*points_, NormOfMetric(options_.metric), row,
                       options_.num_threads);
    }
    farthest_ = {*key, top};
    return absl::OkStatus();
  }

  absl::Status ChooseDevice() {
    ASSIGN_OR_RETURN(
        device_,
        ResolveDevice(options_.device,
                      Expect(MeasurePointsJob(*points_, options_.peaks),
                             options_.num_threads)));
    return absl::OkStatus();
  }

  // The densities at the cutoff distance of each result, which share the time.
  absl::StatusOr<SweptDensities> CountForResults(
      std::vector<DensityPeaksResult>& results) {
    std::vector<double> cutoffs;
    for (const DensityPeaksResult& result : results) {
      cutoffs.push_back(result.graph.cutoff_distance);
    }
    Stopwatch stopwatch;
    ASSIGN_OR_RETURN(SweptDensities swept,
                     CountForEach(*index_, options_.metric, cutoffs));
    const double seconds = stopwatch.Lap("density");
    for (DensityPeaksResult& result : results) {
      result.seconds.density = seconds / results.size();
    }
    return swept;
  }

  // Sets densities_, and start_.densities to their order.
  absl::Status FindDensities() {
    const int32_t n = points_->num_points;
    const double cutoff = result_.graph.cutoff_distance;
    if (n < 2) {
      return absl::InvalidArgumentError(
          "DensityPeaksOptions::density: expected kCount or at least two "
          "points, found one");
    }
    RETURN_IF_ERROR(MakeIndexOnce(cutoff));
    const PhaseTimer timer(&result_.seconds.density, "density");
    if (options_.density == PointDensity::kGaussian) {
      ASSIGN_OR_RETURN(densities_,
                       GaussianDensities(*index_, options_.metric, cutoff));
    } else {
      const int32_t k =
          options_.neighbors > 0 ? options_.neighbors : DefaultNeighbors(n);
      ASSIGN_OR_RETURN(
          densities_, NeighborDensities(*points_, NormOfMetric(options_.metric),
                                        options_.density, k, device_,
                                        options_.num_threads));
    }
    start_.densities = DensitiesByRank(densities_);
    return absl::OkStatus();
  }

  absl::Status FindClustersByDensity() {
    const DecisionGraph& graph = result_.graph;
    const DensityRanks ranks =
        RanksOfDensities(graph.densities, options_.num_threads);
    Basins basins;
    if (options_.density == PointDensity::kGaussian) {
      ASSIGN_OR_RETURN(basins, FindAllBasins());
    } else {
      const PhaseTimer timer(&result_.seconds.saddles, "saddles");
      ASSIGN_OR_RETURN(basins, FindNeighborBasins(densities_, graph, ranks,
                                                  options_.num_threads));
    }
    const PhaseTimer timer(&result_.seconds.assignment, "assignment");
    const CandidateSigmas candidates =
        SigmasOfDensities(densities_, basins, ranks, dimensions());
    SignificantPeaks found =
        SelectPeaksBySigma(basins, candidates, options_.num_threads);
    result_.clusters =
        NumberClusters(std::move(found.labels), found.peaks, graph,
                       /*density_min=*/0, options_.num_threads);
    result_.significance =
        SignificanceOf(basins, candidates, result_.clusters.peaks);
    return absl::OkStatus();
  }

  int32_t dimensions() const {
    return internal::SignificanceDimensions(options_.metric,
                                            points_->num_dimensions);
  }

  absl::Status FindSignificantClusters() {
    const DecisionGraph& graph = result_.graph;
    ASSIGN_OR_RETURN(const Basins basins, FindAllBasins());
    const PhaseTimer timer(&result_.seconds.assignment, "assignment");
    const int32_t density_min = options_.peaks.density_min;
    SignificantPeaks found = SelectSignificantPeaks(
        graph, basins, dimensions(), density_min, options_.num_threads);
    result_.clusters = NumberClusters(std::move(found.labels), found.peaks,
                                      graph, density_min, options_.num_threads);
    result_.significance =
        SignificanceOf(graph, basins, dimensions(), result_.clusters.peaks);
    return absl::OkStatus();
  }

  absl::StatusOr<Basins> FindAllBasins() {
    const DecisionGraph& graph = result_.graph;
    const double cutoff = graph.cutoff_distance;
    if (search_on_device_ != nullptr) {
      const PhaseTimer timer(&result_.seconds.saddles, "saddles");
      absl::StatusOr<Basins> basins = FindBasins(
          graph, RanksOfDensities(graph.densities, options_.num_threads),
          search_on_device_, options_.num_threads);
      search_on_device_ = nullptr;
      if (!absl::IsResourceExhausted(basins.status())) return basins;
    }
    RETURN_IF_ERROR(MakeIndexOnce(cutoff));
    const PhaseTimer timer(&result_.seconds.saddles, "saddles");
    if (start_.ranks.ranks.empty()) {
      start_.ranks = RanksOfDensities(graph.densities, options_.num_threads);
    }
    return FindBasins(graph, start_.ranks, *index_,
                      internal::RadiusKey(options_.metric, cutoff),
                      options_.num_threads, &joined_);
  }

  absl::Status MakeIndexOnce(double cutoff_distance) {
    if (index_ != nullptr) return absl::OkStatus();
    PhaseTimer timer(&result_.seconds.build, "build");
    ASSIGN_OR_RETURN(index_,
                     MakeIndex(*points_, options_.metric, options_.index,
                               cutoff_distance, options_.num_threads));
    index_->StopWith(options_.work);
    return NotStopped();
  }

  // Points and index are shared by the jobs of a sweep (Copy).
  std::shared_ptr<PointMatrix> points_;
  DensityPeaksOptions options_;
  Device device_ = Device::kCpu;
  std::shared_ptr<NeighborIndex> index_;
  // Null on the CPU.
  OtherLabelSearch search_on_device_;
  DensityPeaksResult result_;
  // What the searches of a sweep begin with, and the ranks of its densities.
  DecisionGraphStart start_;
  // The pairs at the last saddles.
  JoinedPairs joined_;
  // The last point of rank 0, and its largest key.
  NearestPoint farthest_;
  // For others than counts.
  PointDensities densities_;
};

}  // namespace

absl::Status internal::FindCutoff(const PointMatrix& points,
                                  const DensityPeaksOptions& options,
                                  DensityPeaksResult* result) {
  PhaseTimer timer(&result->seconds.cutoff, "cutoff");
  result->graph.cutoff_distance = options.cutoff_distance;
  if (options.cutoff_distance > 0) return absl::OkStatus();
  // Later steps see the distance, not the key that it comes from: giving the
  // reported distance is the same job.
  const double quantile =
      CutoffQuantile(options, points.num_points, points.num_dimensions);
  ASSIGN_OR_RETURN(const CutoffDistance cutoff,
                   ChooseCutoffDistance(points, options.metric, quantile,
                                        options.seed, options.num_threads));
  SetCutoff(cutoff, result);
  return absl::OkStatus();
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
  RETURN_IF_ERROR(job.FindCutoffAndGraph());
  job.FreeSearches();
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
  if (options.density != PointDensity::kCount) {
    return absl::InvalidArgumentError(
        "DensityPeaksOptions::density: expected kCount for a sweep of cutoff "
        "distances");
  }
  Job job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare());
  for (size_t first = 0; first < quantiles.size(); first += kSweptAtOnce) {
    RETURN_IF_ERROR(job.Sweep(quantiles.subspan(first, kSweptAtOnce), visit));
  }
  return absl::OkStatus();
}

absl::StatusOr<DensityPeaksResult> ComputeDecisionGraph(
    PointMatrix points, const DensityPeaksOptions& options) {
  DensityPeaksOptions graph_options = options;
  graph_options.cutoff_quantile =
      CutoffQuantile(options, points.num_points, points.num_dimensions);
  graph_options.peaks = PeakSelection();
  Job job(std::move(points), graph_options);
  RETURN_IF_ERROR(job.Prepare());
  RETURN_IF_ERROR(job.FindCutoffAndGraph());
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
