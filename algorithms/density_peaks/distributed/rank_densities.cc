// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_densities.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/meetings.h"
#include "algorithms/density_peaks/distributed/visits.h"
#include "base/machine/resize_vector.h"
#include "base/machine/stopwatch.h"
#include "base/status/status_macros.h"
#include "vptree/points/block_search.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {
namespace {

// Adds those of blocks that meet.
absl::Status CountBetweenBlocks(const RankSearch& search, double radius_key,
                                absl::Span<int32_t> densities) {
  const int32_t n = search.mine.points.num_points;
  return MeetOtherBlocks<int32_t>(
      search.ranks, n, search.threads, MeetingOrder::kAscending,
      [](int32_t) { return uint8_t{0}; },
      [&](const BlockMeeting& meeting, absl::Span<const uint8_t>,
          absl::Span<int32_t> others) -> absl::Status {
        ASSIGN_OR_RETURN(const BlockSearch* const between,
                         search.blocks->Search(search.index, meeting));
        Stopwatch stopwatch;
        std::vector<int32_t> counts(meeting.num_rows());
        RETURN_IF_ERROR(
            between->CountWithin(radius_key, absl::MakeSpan(counts)));
        stopwatch.Lap("density between blocks");
#pragma omp parallel for num_threads(search.threads) schedule(static)
        for (int32_t i = meeting.begin; i < n; ++i) {
          densities[i] += counts[meeting.RowOfMine(i)];
        }
        std::copy_n(counts.begin() + meeting.RowOfOther(0), meeting.num_others,
                    others.begin());
        return absl::OkStatus();
      },
      [&](int, absl::Span<const int32_t> counts) {
#pragma omp parallel for num_threads(search.threads) schedule(static)
        for (size_t i = 0; i < counts.size(); ++i) densities[i] += counts[i];
      });
}

}  // namespace

absl::Status FindRankDensities(const RankSearch& search, double radius_key,
                               std::vector<int32_t>* by_place,
                               RankBoxes* boxes) {
  std::vector<int32_t>& densities = *by_place;
  ResizeVector(search.mine.points.num_points, search.threads, &densities);
  Stopwatch stopwatch;
  if (search.blocks != nullptr) {
    search.blocks->Start();
    RETURN_IF_ERROR(
        search.index.CountWithin(radius_key, absl::MakeSpan(densities)));
    stopwatch.Lap("density of own points");
    RETURN_IF_ERROR(search.blocks->Finish());
    return CountBetweenBlocks(search, radius_key, absl::MakeSpan(densities));
  }
  ASSIGN_OR_RETURN(const std::vector<double> box, search.rows.Box());
  ASSIGN_OR_RETURN(*boxes, RankBoxes::Gather(box, NormOfMetric(search.metric),
                                             search.ranks));
  stopwatch.Lap("boxes of ranks");
  // Keys below the radius.
  const KeyLimits limits = {{}, std::nextafter(radius_key, -1.0)};
  return VisitOtherRanks<int32_t>(
      search.ranks, search.mine.points.num_dimensions, search.threads,
      [&](int step) {
        return search.rows.NearRanks(search.ranks, step, *boxes, limits);
      },
      [&](int, const std::vector<int32_t>* visitors) {
        return search.rows.Rows(*visitors);
      },
      [](absl::Span<const int32_t> visitors)
          -> absl::StatusOr<std::vector<uint8_t>> {
        return std::vector<uint8_t>(visitors.size());
      },
      [&](const PointMatrix& visitors, absl::Span<const uint8_t>,
          absl::Span<int32_t> counts) {
        return search.index.CountWithinOf(visitors, radius_key, counts);
      },
      [&](int, absl::Span<const int32_t> visitors,
          absl::Span<const int32_t> counts) {
#pragma omp parallel for num_threads(search.threads) schedule(static)
        for (size_t v = 0; v < visitors.size(); ++v) {
          densities[visitors[v]] += counts[v];
        }
        return absl::OkStatus();
      },
      [&]() -> absl::Status {
        stopwatch.Lap();
        RETURN_IF_ERROR(
            search.index.CountWithin(radius_key, absl::MakeSpan(densities)));
        stopwatch.Lap("density of own points");
        return absl::OkStatus();
      });
}

}  // namespace warpclust
