// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/neighbor_sweep.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density/cuda/device_index.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "algorithms/density_peaks/density/make_index.h"
#include "algorithms/density_peaks/density/point_density.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/density_peaks_job.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/density_significance.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "kernels/device/device_choice.h"
#include "vptree/choose_index.h"
#include "vptree/index_forecast.h"
#include "vptree/nearest_neighbors.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/metric.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace {

// The metric that prepared points have.
Metric MetricOfNorm(Norm norm) {
  switch (norm) {
    case Norm::kL2:
      return Metric::kEuclidean;
    case Norm::kL1:
      return Metric::kManhattan;
    case Norm::kLInf:
      break;
  }
  return Metric::kChebyshev;
}

// For the search for neighbors; none: it chooses.
std::optional<IndexKind> KindOfIndex(DensityPeaksIndex index) {
  switch (index) {
    case DensityPeaksIndex::kAuto:
      break;
    case DensityPeaksIndex::kBoxTree:
      return IndexKind::kBoxTree;
    case DensityPeaksIndex::kVpTree:
      return IndexKind::kVpTree;
    case DensityPeaksIndex::kBruteForce:
      return IndexKind::kBruteForce;
  }
  return std::nullopt;
}

// What the values of a sweep share.
class NeighborJob {
 public:
  NeighborJob(PointMatrix points, const DensityPeaksOptions& options)
      : points_(std::move(points)), options_(options) {}

  // Finds the `most` neighbors of each point. Call it first.
  absl::Status Prepare(int32_t most) {
    Stopwatch stopwatch;
    RETURN_IF_ERROR(
        PrepareForMetric(options_.metric, &points_, options_.num_threads));
    ASSIGN_OR_RETURN(device_, ChosenDevice());
    first_seconds_.build = stopwatch.Lap("build");
    RETURN_IF_ERROR(internal::OnCpuIfExhausted(&device_, [&]() -> absl::Status {
      ASSIGN_OR_RETURN(neighbors_, FindNearestOfPrepared(
                                       points_, most,
                                       {.metric = metric(),
                                        .index = KindOfIndex(options_.index),
                                        .device = device_,
                                        .num_threads = options_.num_threads,
                                        .work = options_.work}));
      return absl::OkStatus();
    }));
    RETURN_IF_ERROR(internal::NotStopped(options_.work));
    first_seconds_.density = stopwatch.Lap("density");
    RETURN_IF_ERROR(
        internal::OnCpuIfExhausted(&device_, [&] { return MakeIndex(); }));
    first_seconds_.build += stopwatch.Lap("build");
    return absl::OkStatus();
  }

  // The result for this number of neighbors, at most that of Prepare. The first
  // result has the seconds of Prepare.
  absl::StatusOr<DensityPeaksResult> Find(int32_t number) {
    RETURN_IF_ERROR(internal::NotStopped(options_.work));
    const int threads = options_.num_threads;
    DensityPeaksResult result;
    result.seconds = std::exchange(first_seconds_, DensityPeaksSeconds());
    result.neighbors = number;
    result.index = std::string(IndexKindName(neighbors_.index));
    Stopwatch stopwatch;
    densities_ =
        NeighborDensities(points_, neighbors_, std::min(number, neighbors_.k),
                          options_.density, threads, &densities_);
    DecisionGraphRun run;
    run.densities = DensitiesByRank(densities_);
    result.seconds.density += stopwatch.Lap("density");

    const DensityRanks ranks = RanksOfDensities(run.densities, threads);
    RETURN_IF_ERROR(internal::OnCpuIfExhausted(&device_, [&]() -> absl::Status {
      if (index_ == nullptr) RETURN_IF_ERROR(MakeIndex());
      const absl::Status status = FindDependents(ranks.ranks, &run);
      if (!status.ok()) index_ = nullptr;
      return status;
    }));
    result.distance_evaluations = index_->distance_evaluations();
    result.graph =
        FinishDecisionGraph(points_, options_.metric, /*cutoff_distance=*/0,
                            threads, std::move(run));
    result.seconds.dependent = stopwatch.Lap("dependent");

    ASSIGN_OR_RETURN(const Basins basins,
                     FindNeighborBasins(neighbors_, densities_, result.graph,
                                        ranks, threads));
    result.seconds.saddles = stopwatch.Lap("saddles");
    JudgedClusters found =
        ClusterByDensities(densities_, basins, result.graph, ranks,
                           internal::SignificanceDimensions(
                               options_.metric, points_.num_dimensions),
                           threads);
    result.clusters = std::move(found.clusters);
    result.significance = std::move(found.significance);
    result.seconds.assignment = stopwatch.Lap("assignment");
    return result;
  }

 private:
  // Of the prepared points.
  Metric metric() const { return MetricOfNorm(NormOfMetric(options_.metric)); }

  absl::StatusOr<Device> ChosenDevice() const {
    const int32_t n = points_.num_points;
    return ResolveDevice(
        DeviceForKNearest(options_.device, KindOfIndex(options_.index), n, n,
                          points_.num_dimensions),
        Expect(MeasurePointsJob(points_, options_.peaks),
               options_.num_threads));
  }

  absl::Status MakeIndex() {
    ASSIGN_OR_RETURN(index_,
                     MakeIndexOn(device_, points_, metric(), options_.index,
                                 MeanReach(), options_.num_threads));
    index_->StopWith(options_.work);
    return absl::OkStatus();
  }

  // The mean distance to the last neighbor, for the choice of an index.
  double MeanReach() const {
    double sum = 0;
    for (int32_t i = 0; neighbors_.k > 0 && i < points_.num_points; ++i) {
      sum += neighbors_.distances[(i + int64_t{1}) * neighbors_.k - 1];
    }
    return sum / points_.num_points;
  }

  // Neighbors come nearest first, then smallest id first: the first of higher
  // rank is the dependent point. The other points are searched.
  absl::Status FindDependents(absl::Span<const int32_t> ranks,
                              DecisionGraphRun* run) const {
    const int32_t n = points_.num_points;
    const int32_t d = points_.num_dimensions;
    const Norm norm = NormOfMetric(options_.metric);
    run->dependent_points.assign(n, -1);
    run->dependent_keys.assign(n, std::numeric_limits<double>::infinity());
#pragma omp parallel for num_threads(ResolveThreads(options_.num_threads)) \
    schedule(static)
    for (int32_t i = 0; i < n; ++i) {
      const int32_t* const first =
          neighbors_.ids.data() + int64_t{i} * neighbors_.k;
      const int32_t* const end = first + neighbors_.k;
      const int32_t* const denser = std::find_if(
          first, end, [&](int32_t id) { return ranks[id] < ranks[i]; });
      if (denser == end) continue;
      run->dependent_points[i] = *denser;
      run->dependent_keys[i] =
          DistanceKey(norm, points_.Row(i), points_.Row(*denser), d);
    }
    std::vector<int32_t> others;
    std::vector<int32_t> other_ranks;
    PointMatrix queries;
    for (int32_t i = 0; i < n; ++i) {
      if (run->dependent_points[i] >= 0 || ranks[i] == 0) continue;
      others.push_back(i);
      other_ranks.push_back(ranks[i]);
      queries.values.insert(queries.values.end(), points_.Row(i),
                            points_.Row(i) + d);
    }
    queries.num_points = static_cast<int32_t>(others.size());
    queries.num_dimensions = d;
    std::vector<NearestPoint> nearest(others.size());
    RETURN_IF_ERROR(index_->NearestOfHigherRankOf(queries, ranks, other_ranks,
                                                  absl::MakeSpan(nearest)));
    for (size_t at = 0; at < others.size(); ++at) {
      run->dependent_points[others[at]] = nearest[at].id;
      run->dependent_keys[others[at]] = nearest[at].key;
    }
    return absl::OkStatus();
  }

  PointMatrix points_;
  const DensityPeaksOptions options_;
  Device device_ = Device::kCpu;
  NearestNeighbors neighbors_;
  std::unique_ptr<NeighborIndex> index_;
  DensityPeaksSeconds first_seconds_;
  // Of the last value.
  PointDensities densities_;
};

absl::Status Check(const PointMatrix& points,
                   const DensityPeaksOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  return points.num_points == 0 ? internal::NoPoints() : absl::OkStatus();
}

}  // namespace

absl::Status SweepNeighbors(
    PointMatrix points, const DensityPeaksOptions& options,
    absl::Span<const int32_t> numbers,
    absl::FunctionRef<absl::Status(const DensityPeaksResult&)> visit) {
  RETURN_IF_ERROR(Check(points, options));
  if (!UsesNeighbors(options.density)) {
    return absl::InvalidArgumentError(
        "DensityPeaksOptions::density: expected kNeighbors or kAdaptive for a "
        "sweep of numbers of neighbors");
  }
  int32_t most = 0;
  for (const int32_t number : numbers) {
    if (number < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("density peaks: expected numbers of neighbors of at "
                       "least 1, found ",
                       number));
    }
    most = std::max(most, number);
  }
  NeighborJob job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare(most));
  for (const int32_t number : numbers) {
    ASSIGN_OR_RETURN(const DensityPeaksResult result, job.Find(number));
    RETURN_IF_ERROR(visit(result));
  }
  return absl::OkStatus();
}

absl::StatusOr<DensityPeaksResult> internal::DensityPeaksByNeighbors(
    PointMatrix points, const DensityPeaksOptions& options) {
  RETURN_IF_ERROR(Check(points, options));
  const int32_t number = options.neighbors > 0
                             ? options.neighbors
                             : DefaultNeighbors(points.num_points);
  NeighborJob job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare(number));
  return job.Find(number);
}

}  // namespace warpclust
