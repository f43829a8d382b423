// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// LabelSink: keeps the least rank of another label that each point has near it,
// for VisitTilesWithin.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_LABEL_SINK_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_LABEL_SINK_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "vptree/brute_force/pair_filter.h"
#include "vptree/brute_force/pair_tile_kernels.h"

namespace warpclust {

// What a search for other labels begins with, by position.
struct LabelState {
  std::vector<int32_t> ranks;
  std::vector<int32_t> labels;
  std::vector<int32_t> best;
  // By panel: the smallest rank, the largest `best`, and whether all labels are
  // that of its first point.
  std::vector<int32_t> min_ranks;
  std::vector<int32_t> max_best;
  std::vector<uint8_t> is_one_label;
};

// Arrays are by point; best[i] is a bound.
inline LabelState StartOfLabels(const PairFilter& filter,
                                absl::Span<const int32_t> ranks,
                                absl::Span<const int32_t> labels,
                                absl::Span<const int32_t> best) {
  const int32_t n = filter.num_points();
  const int32_t num_positions = filter.num_panels() * kPanelPoints;
  LabelState start;
  // Positions behind the last point repeat its label, so that the last panel
  // may have one label. They are never in a mask.
  start.ranks.assign(num_positions, n);
  start.labels.assign(num_positions, labels[filter.order().back()]);
  start.best.assign(num_positions, 0);
  start.min_ranks.assign(filter.num_panels(), n);
  start.max_best.assign(filter.num_panels(), 0);
  for (int32_t i = 0; i < n; ++i) {
    const int32_t point = filter.order()[i];
    start.ranks[i] = ranks[point];
    start.labels[i] = labels[point];
    start.best[i] = best[point];
    int32_t& min_rank = start.min_ranks[i / kPanelPoints];
    int32_t& max_best = start.max_best[i / kPanelPoints];
    min_rank = std::min(min_rank, ranks[point]);
    max_best = std::max(max_best, best[point]);
  }
  for (int32_t panel = 0; panel < filter.num_panels(); ++panel) {
    const auto first = start.labels.begin() + panel * kPanelPoints;
    start.is_one_label.push_back(
        std::count(first, first + kPanelPoints, *first) == kPanelPoints);
  }
  return start;
}

// By position.
class LabelSink {
 public:
  LabelSink(const LabelState& start, int32_t* best)
      : start_(start),
        ranks_(start.ranks),
        labels_(start.labels),
        best_(best) {}

  // Panels whose ranks are too large, or of one label, do not improve each
  // other.
  bool Wants(int32_t row_panel, int32_t column_panel) const {
    if (start_.min_ranks[column_panel] >= start_.max_best[row_panel] &&
        start_.min_ranks[row_panel] >= start_.max_best[column_panel]) {
      return false;
    }
    return start_.is_one_label[row_panel] == 0 ||
           start_.is_one_label[column_panel] == 0 ||
           labels_[row_panel * kPanelPoints] !=
               labels_[column_panel * kPanelPoints];
  }

  // Returns the columns of `column_panel` that may improve this row, or that
  // the row may improve.
  uint32_t WantedColumns(int32_t row, int32_t column_panel) const {
    uint32_t wanted = 0;
    const int32_t begin = column_panel * kPanelPoints;
    if (start_.is_one_label[column_panel] != 0 &&
        labels_[begin] == labels_[row]) {
      return 0;
    }
    for (int j = 0; j < kPanelPoints; ++j) {
      const bool improves =
          ranks_[begin + j] < best_[row] || ranks_[row] < best_[begin + j];
      if (improves && labels_[begin + j] != labels_[row]) wanted |= 1u << j;
    }
    return wanted;
  }

  void AddTiles(int32_t row_begin, int32_t row_end, int32_t column_begin,
                int32_t column_end) {
    for (int32_t i = row_begin; i < row_end; ++i) {
      for (int32_t j = column_begin; j < column_end; ++j) Add(i, j);
    }
  }

  void AddMasks(int32_t row_panel, int32_t column_panel,
                const uint32_t* masks) {
    for (int i = 0; i < kPanelPoints; ++i) {
      for (uint32_t bits = masks[i]; bits != 0; bits &= bits - 1) {
        Add(row_panel * kPanelPoints + i,
            column_panel * kPanelPoints + __builtin_ctz(bits));
      }
    }
  }

 private:
  void Add(int32_t i, int32_t j) {
    if (labels_[i] == labels_[j]) return;
    best_[i] = std::min(best_[i], ranks_[j]);
    best_[j] = std::min(best_[j], ranks_[i]);
  }

  const LabelState& start_;
  const std::vector<int32_t>& ranks_;
  const std::vector<int32_t>& labels_;
  int32_t* best_;
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_LABEL_SINK_H_
