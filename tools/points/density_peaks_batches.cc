// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/points/density_peaks_batches.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "base/io/byte_reader.h"
#include "base/status/status_macros.h"
#include "tools/input/read_ids.h"
#include "tools/input/read_points.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

PointMatrix Rows(const PointMatrix& points, int64_t begin, int64_t end) {
  PointMatrix rows;
  rows.num_points = static_cast<int32_t>(end - begin);
  rows.num_dimensions = points.num_dimensions;
  const int64_t d = points.num_dimensions;
  rows.values.assign(points.values.begin() + begin * d,
                     points.values.begin() + end * d);
  return rows;
}

DensityUpdate UpdateOf(absl::string_view name) {
  if (name == "incidental") return DensityUpdate::kIncidental;
  if (name == "separate") return DensityUpdate::kSeparate;
  return DensityUpdate::kAuto;
}

// An error about a point of a batch, which begins with the file's point
// `first`, in the file's name and its numbers.
absl::Status NamingFile(const absl::Status& status, absl::string_view path,
                        int64_t first) {
  absl::string_view message = status.message();
  if (!absl::ConsumePrefix(&message, "point ")) return status;
  const size_t colon = message.find(':');
  int64_t point = 0;
  if (colon == absl::string_view::npos ||
      !absl::SimpleAtoi(message.substr(0, colon), &point)) {
    return status;
  }
  return absl::Status(status.code(),
                      absl::StrCat(InputName(path), ": point ", first + point,
                                   message.substr(colon)));
}

// One after another, with the seconds in the result.
class Batches {
 public:
  Batches(IncrementalDensityPeaks peaks, BatchedPoints* out, ToolRun* run)
      : peaks_(std::move(peaks)), out_(out), run_(run) {}

  // The first points, however many, are one batch.
  absl::Status Start(const PointMatrix& base) {
    absl::Status status = peaks_.Insert(base);
    AddSeconds();
    return status;
  }

  // The points of the file `path`.
  absl::Status Insert(const PointMatrix& points, int64_t batch,
                      absl::string_view path) {
    for (int64_t at = 0; at < points.num_points; at += batch) {
      absl::Status status = peaks_.Insert(
          Rows(points, at, std::min<int64_t>(at + batch, points.num_points)));
      if (!status.ok()) return NamingFile(status, path, at);
      Count();
    }
    return absl::OkStatus();
  }

  absl::Status Remove(absl::Span<const int32_t> ids, int64_t batch) {
    for (size_t at = 0; at < ids.size(); at += batch) {
      RETURN_IF_ERROR(peaks_.Remove(ids.subspan(at, batch)));
      Count();
    }
    return absl::OkStatus();
  }

  const IncrementalDensityPeaks& peaks() const { return peaks_; }

 private:
  void AddSeconds() {
    const BatchSeconds seconds = peaks_.last_batch();
    out_->result.seconds.build += seconds.tree;
    out_->result.seconds.density += seconds.density;
    out_->result.seconds.dependent += seconds.dependent;
    run_->progress.SetCount(peaks_.num_points());
  }
  void Count() {
    AddSeconds();
    ++(peaks_.last_update() == DensityUpdate::kIncidental
           ? out_->incidental_batches
           : out_->separate_batches);
  }

  IncrementalDensityPeaks peaks_;
  BatchedPoints* const out_;
  ToolRun* const run_;
};

// d_c: given, or chosen for the points of --input.
absl::Status FindCutoff(const PointMatrix& base,
                        const DensityPeaksOptions& options,
                        DensityPeaksResult* result) {
  result->graph.cutoff_distance = options.cutoff_distance;
  if (options.cutoff_distance > 0) return absl::OkStatus();
  PointMatrix prepared = base;
  RETURN_IF_ERROR(PrepareForMetric(options.metric, &prepared));
  ASSIGN_OR_RETURN(
      const CutoffDistance cutoff,
      ChooseCutoffDistance(prepared, options.metric, options.cutoff_quantile,
                           options.seed, options.num_threads));
  result->graph.cutoff_distance = cutoff.distance;
  result->cutoff_sampled = cutoff.sampled;
  result->cutoff_replaced = cutoff.replaced;
  return absl::OkStatus();
}

absl::StatusOr<IncrementalDensityPeaks> MakePeaks(
    int32_t num_dimensions, const BatchOptions& batches,
    const DensityPeaksOptions& options, double cutoff_distance) {
  using Tree = IncrementalDensityPeaksOptions::Tree;
  IncrementalDensityPeaksOptions incremental;
  incremental.metric = options.metric;
  incremental.cutoff_distance = cutoff_distance;
  incremental.update = UpdateOf(batches.update);
  if (options.index == DensityPeaksIndex::kBoxTree) {
    incremental.tree = Tree::kBox;
  } else if (options.index == DensityPeaksIndex::kVpTree) {
    incremental.tree = Tree::kVantage;
  }
  incremental.device = options.device;
  incremental.num_threads = options.num_threads;
  return IncrementalDensityPeaks::Create(num_dimensions, incremental);
}

}  // namespace

absl::StatusOr<BatchedPoints> ClusterInBatches(
    PointMatrix base, const BatchOptions& batches,
    const DensityPeaksOptions& options, ToolRun& run) {
  if (options.index == DensityPeaksIndex::kBruteForce) {
    return UsageError(
        "--insert and --delete need a tree: --index=boxtree or vptree");
  }
  BatchedPoints out;
  PointMatrix all = std::move(base);
  const int64_t num_base = all.num_points;
  PointMatrix more;
  std::vector<int32_t> removed;
  {
    ToolRun::Timer timer(&run, "read");
    if (!batches.insert.empty()) {
      ASSIGN_OR_RETURN(PointMatrix read,
                       ReadPoints(batches.insert, run.options.input_format));
      more = std::move(read);
      if (more.num_dimensions != all.num_dimensions) {
        return absl::InvalidArgumentError(absl::StrCat(
            batches.insert, ": expected points of ", all.num_dimensions,
            " dimensions, as in the input, found ", more.num_dimensions));
      }
    }
    if (!batches.remove.empty()) {
      ASSIGN_OR_RETURN(
          std::vector<int32_t> ids,
          ReadPointNumbers(batches.remove,
                           int64_t{all.num_points} + more.num_points));
      removed = std::move(ids);
    }
  }

  ToolRun::Timer timer(&run, "compute");
  auto start = Clock::now();
  RETURN_IF_ERROR(FindCutoff(all, options, &out.result));
  out.result.seconds.cutoff = SecondsSince(start);
  ASSIGN_OR_RETURN(IncrementalDensityPeaks peaks,
                   MakePeaks(all.num_dimensions, batches, options,
                             out.result.graph.cutoff_distance));
  Batches steps(std::move(peaks), &out, &run);
  RETURN_IF_ERROR(steps.Start(all));
  RETURN_IF_ERROR(steps.Insert(more, batches.batch, batches.insert));
  RETURN_IF_ERROR(steps.Remove(removed, batches.batch));

  out.ids = steps.peaks().LiveIds();
  if (out.ids.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        InputName(batches.remove),
        ": expected to leave a point, found that all are deleted"));
  }
  ASSIGN_OR_RETURN(DecisionGraph graph, steps.peaks().Graph());
  out.result.graph = std::move(graph);
  out.points.num_points = static_cast<int32_t>(out.ids.size());
  out.points.num_dimensions = all.num_dimensions;
  for (const int32_t id : out.ids) {
    const double* row = id < num_base
                            ? all.Row(id)
                            : more.Row(id - static_cast<int32_t>(num_base));
    out.points.values.insert(out.points.values.end(), row,
                             row + all.num_dimensions);
  }
  start = Clock::now();
  ASSIGN_OR_RETURN(Clusters clusters,
                   ClusterByPeaks(out.result.graph, options.peaks));
  out.result.clusters = std::move(clusters);
  if (options.halo) {
    ASSIGN_OR_RETURN(out.result.clusters.halo,
                     ComputeHalo(out.points, options, out.result.graph,
                                 out.result.clusters));
  }
  out.result.seconds.assignment = SecondsSince(start);
  out.result.index = std::string(steps.peaks().index_name());
  return out;
}

}  // namespace warpclust
