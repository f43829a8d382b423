// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/block_pairs.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/machine/threads.h"
#include "base/status/status_macros.h"
#include "vptree/brute_force/brute_force_nearest.h"
#include "vptree/brute_force/count_sink.h"
#include "vptree/brute_force/label_sink.h"
#include "vptree/brute_force/pair_parts.h"
#include "vptree/brute_force/parts_within.h"
#include "vptree/points/search_arguments.h"

namespace warpclust {
namespace {

// Counts the pairs between the parts, by position.
class PartCountSink : public PairParts {
 public:
  PartCountSink(PairParts parts, int32_t* counts)
      : PairParts(parts), counts_(counts), sink_(counts) {}

  void AddTiles(int32_t row_begin, int32_t row_end, int32_t column_begin,
                int32_t column_end) {
    row_end = std::min(row_end, first_part());
    column_begin = std::max(column_begin, first_part());
    for (int32_t i = row_begin; i < row_end; ++i) {
      counts_[i] += column_end - column_begin;
    }
    for (int32_t j = column_begin; j < column_end; ++j) {
      counts_[j] += row_end - row_begin;
    }
  }

  void AddMasks(int32_t row_panel, int32_t column_panel, uint32_t* masks) {
    Restrict(row_panel, column_panel, masks);
    sink_.AddMasks(row_panel, column_panel, masks);
  }

 private:
  int32_t* counts_;
  CountSink sink_;
};

}  // namespace

BlockPairs::BlockPairs(PointRows points, int32_t first_part, Norm norm,
                       int num_threads, const KnownPoints& known)
    : num_points_(points.num_points()),
      parts_(PairParts::Between(first_part)),
      num_threads_(ResolveThreads(num_threads)) {
  if (first_part == 0 || first_part == num_points_) return;
  pairs_.emplace(std::move(points), norm, num_threads_, first_part, known);
}

absl::Status BlockPairs::CountWithin(double radius_key,
                                     absl::Span<int32_t> counts) const {
  RETURN_IF_ERROR(CheckLength("counts", counts.size(), num_points_));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  std::fill(counts.begin(), counts.end(), 0);
  if (!pairs_.has_value() || radius_key == 0) return absl::OkStatus();
  std::vector<std::vector<int32_t>> by_thread(
      num_threads_,
      std::vector<int32_t>(pairs_->filter().num_panels() * kPanelPoints));
  std::vector<PartCountSink> sinks;
  for (std::vector<int32_t>& of_thread : by_thread) {
    sinks.emplace_back(parts_, of_thread.data());
  }
  evaluations_ += VisitPartsWithin(*pairs_, parts_, radius_key, num_threads_,
                                   /*work=*/nullptr, &sinks);
  for (const std::vector<int32_t>& of_thread : by_thread) {
    for (int32_t i = 0; i < num_points_; ++i) {
      counts[pairs_->filter().order()[i]] += of_thread[i];
    }
  }
  return absl::OkStatus();
}

absl::Status BlockPairs::HighestRankOfOtherLabel(
    double radius_key, absl::Span<const int32_t> ranks,
    absl::Span<const int32_t> labels, absl::Span<int32_t> best) const {
  const int32_t n = num_points_;
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), n));
  RETURN_IF_ERROR(CheckLength("labels", labels.size(), n));
  RETURN_IF_ERROR(CheckLength("best", best.size(), n));
  RETURN_IF_ERROR(CheckRadiusKey(radius_key));
  if (!pairs_.has_value() || radius_key == 0) return absl::OkStatus();
  const LabelState start = StartOfLabels(pairs_->filter(), ranks, labels, best);
  std::vector<std::vector<int32_t>> by_thread(num_threads_, start.best);
  std::vector<LabelSink> sinks;
  for (std::vector<int32_t>& of_thread : by_thread) {
    sinks.emplace_back(start, of_thread.data());
  }
  evaluations_ += VisitPartsWithin(*pairs_, parts_, radius_key, num_threads_,
                                   /*work=*/nullptr, &sinks);
  for (const std::vector<int32_t>& of_thread : by_thread) {
    for (int32_t i = 0; i < n; ++i) {
      int32_t& lowest = best[pairs_->filter().order()[i]];
      lowest = std::min(lowest, of_thread[i]);
    }
  }
  return absl::OkStatus();
}

absl::Status BlockPairs::NearestOfHigherRank(
    absl::Span<const int32_t> ranks, absl::Span<NearestPoint> nearest) const {
  RETURN_IF_ERROR(CheckLength("ranks", ranks.size(), num_points_));
  RETURN_IF_ERROR(CheckLength("nearest", nearest.size(), num_points_));
  if (!pairs_.has_value()) return absl::OkStatus();
  evaluations_ += FindNearestBetweenParts(*pairs_, parts_.first_part(), ranks,
                                          num_threads_, nullptr, nearest);
  return absl::OkStatus();
}

std::unique_ptr<BlockPairs> MeetOnCpu(const PointMatrix& mine, int32_t begin,
                                      const PackedRows& others,
                                      bool others_first, Norm norm,
                                      int num_threads,
                                      const PairFilter* filter) {
  const int32_t num_mine = mine.num_points - begin;
  PointRows both(mine.num_dimensions);
  if (others_first) both.Append(others);
  both.Append(mine.Row(begin), num_mine);
  if (!others_first) both.Append(others);
  return std::make_unique<BlockPairs>(
      std::move(both), others_first ? others.num_points : num_mine, norm,
      num_threads, KnownPoints{filter, begin, num_mine, others_first});
}

}  // namespace warpclust
