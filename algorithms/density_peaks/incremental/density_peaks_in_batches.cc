// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/incremental/density_peaks_in_batches.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "kernels/device/device.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

PointMatrix Rows(const PointMatrix& points, int64_t begin, int64_t end) {
  PointMatrix rows;
  rows.num_points = static_cast<int32_t>(end - begin);
  rows.num_dimensions = points.num_dimensions;
  const int64_t d = points.num_dimensions;
  rows.values.assign(points.values.begin() + begin * d,
                     points.values.begin() + end * d);
  return rows;
}

// The cutoff distance that the options give, or that of the base points.
absl::Status FindCutoff(const PointMatrix& base,
                        const DensityPeaksOptions& options,
                        DensityPeaksResult* result) {
  if (options.cutoff_distance > 0) {
    return internal::FindCutoff(base, options, Device::kCpu, result);
  }
  PointMatrix prepared = base;
  RETURN_IF_ERROR(PrepareForMetric(options.metric, &prepared));
  return internal::FindCutoff(prepared, options, Device::kCpu, result);
}

// Checked before any work: otherwise a batch could be refused in the middle.
absl::Status CheckInserted(const DensityPeaksBatches& batches, Metric metric) {
  if (batches.inserted.num_points == 0) return absl::OkStatus();
  PointMatrix prepared = batches.inserted;
  const absl::Status status = PrepareForMetric(metric, &prepared);
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat("inserted ", status.message()));
}

IncrementalDensityPeaksOptions IncrementalOptions(
    const DensityPeaksOptions& options, DensityUpdate update,
    double cutoff_distance) {
  using Tree = IncrementalDensityPeaksOptions::Tree;
  IncrementalDensityPeaksOptions incremental;
  incremental.metric = options.metric;
  incremental.cutoff_distance = cutoff_distance;
  incremental.update = update;
  if (options.index == DensityPeaksIndex::kBoxTree) {
    incremental.tree = Tree::kBox;
  } else if (options.index == DensityPeaksIndex::kVpTree) {
    incremental.tree = Tree::kVantage;
  }
  incremental.device = options.device;
  incremental.num_threads = options.num_threads;
  return incremental;
}

// The points of these ids, those of the base first.
PointMatrix PointsOf(absl::Span<const int32_t> ids, const PointMatrix& base,
                     const PointMatrix& inserted) {
  PointMatrix points;
  points.num_points = static_cast<int32_t>(ids.size());
  points.num_dimensions = base.num_dimensions;
  for (const int32_t id : ids) {
    const double* row = id < base.num_points
                            ? base.Row(id)
                            : inserted.Row(id - base.num_points);
    points.values.insert(points.values.end(), row, row + base.num_dimensions);
  }
  return points;
}

}  // namespace

absl::StatusOr<BatchedDensityPeaks> DensityPeaksInBatches(
    const PointMatrix& base, const DensityPeaksBatches& batches,
    const DensityPeaksOptions& options) {
  if (options.index == DensityPeaksIndex::kBruteForce) {
    return absl::InvalidArgumentError(
        "expected an index that holds points, found brute force");
  }
  if (options.density != PointDensity::kCount) {
    return absl::InvalidArgumentError(
        "DensityPeaksOptions::density: expected kCount for points that come "
        "and go");
  }
  if (options.peaks.rule == PeakSelection::Rule::kSignificance) {
    return absl::InvalidArgumentError(
        "PeakSelection::rule: expected a rule that needs only the graph, found "
        "kSignificance: points that come and go have no saddles");
  }
  BatchedDensityPeaks out;
  DensityPeaksResult& result = out.result;
  RETURN_IF_ERROR(FindCutoff(base, options, &result));
  ASSIGN_OR_RETURN(IncrementalDensityPeaks peaks,
                   IncrementalDensityPeaks::Create(
                       base.num_dimensions,
                       IncrementalOptions(options, batches.update,
                                          result.graph.cutoff_distance)));
  const auto finish_batch = [&] {
    const BatchSeconds seconds = peaks.last_batch();
    result.seconds.build += seconds.tree;
    result.seconds.density += seconds.density;
    result.seconds.dependent += seconds.dependent;
    if (batches.done != nullptr) batches.done(peaks.num_points());
  };
  const auto count_batch = [&] {
    finish_batch();
    ++(peaks.last_update() == DensityUpdate::kIncidental
           ? out.incidental_batches
           : out.separate_batches);
  };
  RETURN_IF_ERROR(peaks.Insert(base));
  finish_batch();
  RETURN_IF_ERROR(CheckInserted(batches, options.metric));
  const int64_t num_inserted = batches.inserted.num_points;
  for (int64_t at = 0; at < num_inserted; at += batches.batch_size) {
    RETURN_IF_ERROR(
        peaks.Insert(Rows(batches.inserted, at,
                          std::min(at + batches.batch_size, num_inserted))));
    count_batch();
  }
  const auto removed = absl::MakeConstSpan(batches.removed);
  for (size_t at = 0; at < removed.size(); at += batches.batch_size) {
    RETURN_IF_ERROR(peaks.Remove(removed.subspan(at, batches.batch_size)));
    count_batch();
  }

  out.ids = peaks.LiveIds();
  if (out.ids.empty()) {
    return absl::InvalidArgumentError(
        "expected to leave a point, found that all are deleted");
  }
  ASSIGN_OR_RETURN(result.graph, peaks.Graph());
  out.points = PointsOf(out.ids, base, batches.inserted);
  const PhaseTimer timer(&result.seconds.assignment);
  ASSIGN_OR_RETURN(result.clusters,
                   ClusterByPeaks(result.graph, options.peaks));
  if (options.halo) {
    ASSIGN_OR_RETURN(
        result.clusters.halo,
        ComputeHalo(out.points, options, result.graph, result.clusters));
  }
  result.index = std::string(peaks.index_name());
  return out;
}

}  // namespace warpclust
