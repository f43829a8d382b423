// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density/cuda/device_cutoff.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/sweep_searches.h"
#include "algorithms/density_peaks/density_peaks_job.h"
#include "base/machine/compute_in_order.h"
#include "base/machine/stopwatch.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"

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

}  // namespace

namespace internal {

absl::Status DensityPeaksJob::Sweep(
    absl::Span<const double> quantiles,
    absl::FunctionRef<absl::Status(const DensityPeaksResult&)> visit) {
  RETURN_IF_ERROR(ChooseDevice());
  options_.cutoff_distance = 0;
  std::vector<DensityPeaksResult> results(quantiles.size());
  Stopwatch stopwatch;
  ASSIGN_OR_RETURN(
      const std::vector<CutoffDistance> cutoffs,
      ChooseCutoffDistancesOn(device_, *points_, options_.metric, quantiles,
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
  std::vector<std::unique_ptr<DensityPeaksJob>> others;
  for (int j = 1; j < num_jobs; ++j) others.push_back(Copy());
  const auto find = [&](int j, int q) {
    DensityPeaksJob& job = j == 0 ? *this : *others[j - 1];
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

absl::StatusOr<SweptDensities> DensityPeaksJob::CountForResults(
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

int DensityPeaksJob::ValuesAtOnce(const SweptDensities& swept,
                                  int num_threads) const {
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

std::unique_ptr<DensityPeaksJob> DensityPeaksJob::Copy() const {
  std::unique_ptr<DensityPeaksJob> job(new DensityPeaksJob(points_, options_));
  job->device_ = device_;
  job->index_ = index_;
  if (start_.rankings != nullptr) {
    job->start_.rankings = start_.rankings->Copy();
  }
  return job;
}

void DensityPeaksJob::UseThreads(int num_threads) {
  options_.num_threads = num_threads;
  if (index_ != nullptr) index_->SetNumThreads(num_threads);
}

absl::Status DensityPeaksJob::FindValue(DensityPeaksResult* result) {
  result_ = std::move(*result);
  RETURN_IF_ERROR(FindGraph(/*searches_end=*/false));
  RETURN_IF_ERROR(FindClusters());
  *result = TakeResult();
  searches_on_device_ = nullptr;
  result_ = DensityPeaksResult();
  start_.ranks = DensityRanks();
  return absl::OkStatus();
}

}  // namespace internal

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
        "distances; SweepNeighbors takes kNeighbors and kAdaptive");
  }
  internal::DensityPeaksJob job(std::move(points), options);
  RETURN_IF_ERROR(job.Prepare(/*searches_once=*/false));
  for (size_t first = 0; first < quantiles.size(); first += kSweptAtOnce) {
    RETURN_IF_ERROR(job.Sweep(quantiles.subspan(first, kSweptAtOnce), visit));
  }
  return absl::OkStatus();
}

}  // namespace warpclust
