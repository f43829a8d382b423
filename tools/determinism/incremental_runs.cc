// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/incremental/incremental_density_peaks.h"
#include "base/status/status_macros.h"
#include "tools/determinism/result_digests.h"
#include "tools/determinism/runs.h"
#include "vptree/points/metric.h"

namespace warpclust {
namespace {

using Tree = IncrementalDensityPeaksOptions::Tree;

// The maximum number of batches: one point per batch would take too long for
// all points.
constexpr int64_t kMostBatches = 64;

// Inserts the points of an input, mixed with guests.
class Visit {
 public:
  Visit(const PointMatrix& points, IncrementalDensityPeaks* peaks)
      : points_(points), peaks_(peaks) {}

  // Inserts the points up to `end`, then guests.
  absl::Status Insert(int32_t end, int32_t num_guests) {
    std::vector<int32_t> rows = RowRange(num_points_, end);
    const int32_t first_guest =
        peaks_->num_ids() + static_cast<int32_t>(rows.size());
    for (int32_t g = 0; g < num_guests; ++g) {
      // 7919 is prime: guests come from all over the input.
      rows.push_back(
          static_cast<int32_t>(int64_t{7919} * ++drawn_ % points_.num_points));
      guests_.push_back(first_guest + g);
    }
    num_points_ = end;
    return peaks_->Insert(SelectRows(points_, rows));
  }

  // Removes all guests except the last `but`, the earliest first, `batch` at a
  // time.
  absl::Status RemoveGuests(int64_t batch, size_t but) {
    const size_t leaving = guests_.size() - std::min(but, guests_.size());
    const absl::Span<const int32_t> ids =
        absl::MakeConstSpan(guests_).subspan(0, leaving);
    for (size_t at = 0; at < ids.size(); at += static_cast<size_t>(batch)) {
      RETURN_IF_ERROR(
          peaks_->Remove(ids.subspan(at, static_cast<size_t>(batch))));
    }
    guests_.erase(guests_.begin(),
                  guests_.begin() + static_cast<int64_t>(leaving));
    return absl::OkStatus();
  }

 private:
  const PointMatrix& points_;
  IncrementalDensityPeaks* const peaks_;
  int32_t num_points_ = 0;
  int64_t drawn_ = 0;
  std::vector<int32_t> guests_;
};

absl::Status ComeAndGo(const PointMatrix& points, int32_t batch,
                       IncrementalDensityPeaks* peaks) {
  const int32_t n = points.num_points;
  const auto in_batches =
      static_cast<int32_t>(std::min<int64_t>(n / 2, kMostBatches * batch));
  const int32_t at_once = n - in_batches;
  const int32_t guests = std::max(1, batch / 4);
  Visit visit(points, peaks);
  RETURN_IF_ERROR(
      visit.Insert(at_once, static_cast<int32_t>(std::min<int64_t>(
                                at_once / 4, kMostBatches / 2 * batch))));
  for (int32_t at = at_once; at < n;) {
    at += std::min(batch, n - at);
    RETURN_IF_ERROR(visit.Insert(at, guests));
    RETURN_IF_ERROR(visit.RemoveGuests(batch, static_cast<size_t>(guests)));
  }
  return visit.RemoveGuests(batch, 0);
}

absl::StatusOr<uint64_t> VisitDigest(
    const PointMatrix& points, int32_t batch,
    const DensityPeaksOptions& options,
    const IncrementalDensityPeaksOptions& incremental) {
  ASSIGN_OR_RETURN(
      IncrementalDensityPeaks peaks,
      IncrementalDensityPeaks::Create(points.num_dimensions, incremental));
  RETURN_IF_ERROR(ComeAndGo(points, batch, &peaks));
  ASSIGN_OR_RETURN(const DecisionGraph graph, peaks.Graph());
  ASSIGN_OR_RETURN(Clusters clusters, ClusterByPeaks(graph, options.peaks));
  DensityPeaksOptions halo_options = options;
  halo_options.index = DensityPeaksIndex::kBoxTree;
  halo_options.num_threads = incremental.num_threads;
  ASSIGN_OR_RETURN(clusters.halo,
                   ComputeHalo(points, halo_options, graph, clusters));
  return PeaksDigest(graph, clusters);
}

struct Way {
  const char* name;
  Tree tree;
  DensityUpdate update;
};

}  // namespace

absl::Status RunIncremental(const PointsInput& input, const RunGroup& group,
                            const DensityPeaksOptions& options,
                            DeterminismRunner* runner) {
  const Way ways[] = {
      {"dynamic box tree, incidental", Tree::kBox, DensityUpdate::kIncidental},
      {"dynamic vp tree, separate", Tree::kVantage, DensityUpdate::kSeparate},
      {"dynamic box tree, separate", Tree::kBox, DensityUpdate::kSeparate},
      {"dynamic vp tree, incidental", Tree::kVantage,
       DensityUpdate::kIncidental},
  };
  // Tree and update do not depend on the metric: one metric runs all pairs.
  const size_t num_ways = options.metric == Metric::kEuclidean ? 4 : 2;
  for (const Way& way : absl::MakeConstSpan(ways).subspan(0, num_ways)) {
    for (const int32_t batch : {1, 7, 64, 1024}) {
      RETURN_IF_ERROR(runner->Run(
          group, {.method = way.name, .batch = absl::StrCat(batch)},
          [&](Device device, int threads) {
            IncrementalDensityPeaksOptions incremental;
            incremental.metric = options.metric;
            incremental.cutoff_distance = options.cutoff_distance;
            incremental.update = way.update;
            incremental.tree = way.tree;
            incremental.device = device;
            incremental.num_threads = threads;
            return VisitDigest(input.points, batch, options, incremental);
          }));
    }
  }
  return absl::OkStatus();
}

}  // namespace warpclust
