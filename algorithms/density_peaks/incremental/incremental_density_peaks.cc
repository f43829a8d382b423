// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density/decision_graph_run.h"
#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/index_forecast.h"

namespace warpclust {
namespace {

using Tree = IncrementalDensityPeaksOptions::Tree;

// Up to here boxes bound well for any points.
constexpr int32_t kBoxDimensions = 5;
// With fewer points in the first batch, the dimensions alone decide.
constexpr int32_t kFewPoints = 512;
constexpr int32_t kFewPointsBoxDimensions = 16;

absl::StatusOr<std::unique_ptr<IncrementalEngine>> MakeEngine(
    const IncrementalDensityPeaksOptions& options, int32_t num_dimensions) {
  const Norm norm = NormOfMetric(options.metric);
  const double radius_key =
      internal::RadiusKey(options.metric, options.cutoff_distance);
  const bool vp_tree = options.tree == Tree::kVantage;
  return options.device == Device::kCuda
             ? MakeIncrementalCuda(norm, num_dimensions, radius_key, vp_tree)
             : MakeIncrementalCpu(norm, num_dimensions, radius_key, vp_tree,
                                  options.num_threads);
}

// The tree for points of which these are the first.
absl::StatusOr<Tree> ChooseTree(const PointMatrix& points,
                                const IncrementalDensityPeaksOptions& options) {
  if (points.num_dimensions <= kBoxDimensions) return Tree::kBox;
  if (points.num_points < kFewPoints) {
    return points.num_dimensions <= kFewPointsBoxDimensions ? Tree::kBox
                                                            : Tree::kVantage;
  }
  ASSIGN_OR_RETURN(
      const IndexForecast forecast,
      ForecastIndexes(
          points, NormOfMetric(options.metric),
          internal::RadiusKey(options.metric, options.cutoff_distance)));
  return forecast.FastestTree() == IndexKind::kVpTree ? Tree::kVantage
                                                      : Tree::kBox;
}

}  // namespace

absl::Status IncrementalDensityPeaksOptions::Validate() const {
  // The comparison is false for NaN.
  if (!(cutoff_distance > 0) || std::isinf(cutoff_distance)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "IncrementalDensityPeaksOptions::cutoff_distance: expected a distance "
        "above 0, found ",
        cutoff_distance));
  }
  return ValidateNumThreads(num_threads);
}

IncrementalDensityPeaks::IncrementalDensityPeaks(
    const IncrementalDensityPeaksOptions& options,
    std::unique_ptr<IncrementalEngine> engine, int32_t num_dimensions)
    : options_(options), engine_(std::move(engine)) {
  points_.num_dimensions = num_dimensions;
}

absl::StatusOr<IncrementalDensityPeaks> IncrementalDensityPeaks::Create(
    int32_t num_dimensions, const IncrementalDensityPeaksOptions& options) {
  RETURN_IF_ERROR(options.Validate());
  if (num_dimensions < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("incremental density peaks: expected at least one "
                     "dimension, found ",
                     num_dimensions));
  }
  IncrementalDensityPeaksOptions resolved = options;
  ASSIGN_OR_RETURN(resolved.device, ResolveDevice(options.device));
  ASSIGN_OR_RETURN(std::unique_ptr<IncrementalEngine> engine,
                   MakeEngine(resolved, num_dimensions));
  return IncrementalDensityPeaks(resolved, std::move(engine), num_dimensions);
}

absl::string_view IncrementalDensityPeaks::index_name() const {
  return options_.tree == Tree::kVantage ? "dynamic vp tree"
                                         : "dynamic box tree";
}

std::vector<int32_t> IncrementalDensityPeaks::LiveIds() const {
  std::vector<int32_t> ids;
  ids.reserve(num_points_);
  for (int32_t id = 0; id < num_ids(); ++id) {
    if (live_[id] != 0) ids.push_back(id);
  }
  return ids;
}

DensityUpdate IncrementalDensityPeaks::ChooseUpdate(int64_t batch) {
  last_update_ = options_.update != DensityUpdate::kAuto
                     ? options_.update
                     : chooser_.Choose(batch, num_points_);
  return last_update_;
}

void IncrementalDensityPeaks::RecordUpdate(int64_t batch) {
  // A batch of most points says nothing about small ones.
  if (batch > num_points_ / 2) return;
  chooser_.Record(last_update_, batch, num_points_ - batch,
                  engine_->last_batch().density);
}

absl::Status IncrementalDensityPeaks::Insert(PointMatrix batch) {
  if (batch.num_points == 0) return absl::OkStatus();
  if (batch.num_dimensions != points_.num_dimensions) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected points of ", points_.num_dimensions,
                     " dimensions, found ", batch.num_dimensions));
  }
  const int64_t ids = int64_t{num_ids()} + batch.num_points;
  if (ids > std::numeric_limits<int32_t>::max()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "expected at most 2^31 - 1 points ever inserted, found ", ids));
  }
  RETURN_IF_ERROR(PrepareForMetric(options_.metric, &batch));
  if (options_.tree == Tree::kAuto) {
    ASSIGN_OR_RETURN(options_.tree, ChooseTree(batch, options_));
    ASSIGN_OR_RETURN(engine_, MakeEngine(options_, batch.num_dimensions));
  }
  points_.values.insert(points_.values.end(), batch.values.begin(),
                        batch.values.end());
  live_.resize(ids, 1);
  points_.num_points = num_ids();
  const DensityUpdate update = ChooseUpdate(batch.num_points);
  num_points_ += batch.num_points;
  RETURN_IF_ERROR(engine_->Insert(batch, update));
  RecordUpdate(batch.num_points);
  return absl::OkStatus();
}

absl::Status IncrementalDensityPeaks::Remove(absl::Span<const int32_t> ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (!IsLive(ids[i])) {
      const bool twice =
          std::find(ids.begin(), ids.begin() + i, ids[i]) != ids.begin() + i;
      for (size_t j = 0; j < i; ++j) live_[ids[j]] = 1;
      return absl::InvalidArgumentError(absl::StrCat(
          "point ", ids[i],
          twice ? ": expected to be removed once, found twice in the batch"
                : ": expected a point that is not removed, found none"));
    }
    live_[ids[i]] = 0;
  }
  if (ids.empty()) return absl::OkStatus();
  const auto batch = static_cast<int64_t>(ids.size());
  const DensityUpdate update = ChooseUpdate(batch);
  RETURN_IF_ERROR(engine_->Remove(ids, update));
  RecordUpdate(batch);
  num_points_ -= static_cast<int32_t>(batch);
  return absl::OkStatus();
}

double IncrementalDensityPeaks::LargestLiveKey(int32_t point) const {
  const Norm norm = NormOfMetric(options_.metric);
  const double* row = points_.Row(point);
  double largest = 0;
  const int threads = ResolveThreads(options_.num_threads);
#pragma omp parallel for num_threads(threads) \
    reduction(max                             \
              : largest) if (num_ids() > 4096)
  for (int32_t id = 0; id < num_ids(); ++id) {
    if (live_[id] == 0) continue;
    largest = std::max(largest, DistanceKey(norm, row, points_.Row(id),
                                            points_.num_dimensions));
  }
  return largest;
}

absl::StatusOr<DecisionGraph> IncrementalDensityPeaks::Graph() const {
  ASSIGN_OR_RETURN(const IncrementalState state, engine_->Read());
  std::vector<int32_t> dense(num_ids(), -1);
  int32_t count = 0;
  for (int32_t id = 0; id < num_ids(); ++id) {
    if (live_[id] != 0) dense[id] = count++;
  }
  DecisionGraphRun run;
  run.densities.reserve(count);
  run.dependent_points.reserve(count);
  run.dependent_keys.reserve(count);
  for (int32_t id = 0; id < num_ids(); ++id) {
    if (live_[id] == 0) continue;
    const int32_t above = state.dependent_points[id];
    run.densities.push_back(state.densities[id]);
    run.dependent_points.push_back(above < 0 ? -1 : dense[above]);
    run.dependent_keys.push_back(above < 0 ? LargestLiveKey(id)
                                           : state.dependent_keys[id]);
  }
  // With the key of the first point there, the points are not read.
  return FinishDecisionGraph(PointMatrix(), options_.metric,
                             options_.cutoff_distance, options_.num_threads,
                             std::move(run));
}

}  // namespace warpclust
