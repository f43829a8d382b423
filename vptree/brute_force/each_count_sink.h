// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// EachCountSink: counts the pairs of each point within several radii, for
// VisitTilesWithin.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_EACH_COUNT_SINK_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_EACH_COUNT_SINK_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/masked_keys.h"
#include "vptree/brute_force/pair_tile_kernels.h"

namespace warpclust {

// The pairs within the largest radius, by position and by the smallest radius
// that they are within, from their exact keys.
class EachCountSink {
 public:
  static constexpr int kMostRadii = kCountedRadii;

  // `radius_keys` ascend.
  EachCountSink(const BruteForcePairs& pairs,
                absl::Span<const double> radius_keys,
                const PairTileKernels& kernels, PairScratch scratch)
      : pairs_(&pairs),
        kernels_(&kernels),
        scratch_(std::move(scratch)),
        counts_(int64_t{pairs.filter().num_panels()} * kPanelPoints *
                kMostRadii) {
    std::fill_n(radius_keys_, kMostRadii,
                std::numeric_limits<double>::infinity());
    std::copy(radius_keys.begin(), radius_keys.end(), radius_keys_);
  }

  bool Wants(int32_t, int32_t) const { return true; }
  uint32_t WantedColumns(int32_t, int32_t) const { return ~uint32_t{0}; }

  // Returns the number of pairs whose smallest radius is radius r.
  int32_t Count(int32_t position, int r) const {
    return counts_[int64_t{position} * kMostRadii + r];
  }

  void AddTiles(int32_t row_begin, int32_t row_end, int32_t column_begin,
                int32_t column_end) {
    VisitPanels(*pairs_, row_begin, row_end, column_begin, column_end,
                [&](int32_t a, int32_t b, const uint32_t* masks) {
                  AddMasks(a, b, masks);
                });
  }

  void AddMasks(int32_t row_panel, int32_t column_panel,
                const uint32_t* masks) {
    int count = 0;
    VisitMaskedKeys(*pairs_, *kernels_, row_panel, column_panel, masks,
                    &scratch_, [&](int i, int j, double key) {
                      keys_[count] = key;
                      places_[count++] = {
                          static_cast<uint16_t>(i * kMostRadii),
                          static_cast<uint16_t>(j * kMostRadii)};
                    });
    kernels_->number_radii(keys_, count, radius_keys_, numbers_);
    constexpr int64_t kPanelCounts = kPanelPoints * kMostRadii;
    int32_t* const of_rows = counts_.data() + row_panel * kPanelCounts;
    int32_t* const of_columns = counts_.data() + column_panel * kPanelCounts;
    for (int k = 0; k < count; ++k) {
      ++of_rows[places_[k].row + numbers_[k]];
      ++of_columns[places_[k].column + numbers_[k]];
    }
  }

 private:
  static constexpr int kMostPairs = kPanelPoints * kPanelPoints;
  // Where the counts of a pair's points begin in their panels.
  struct Places {
    uint16_t row;
    uint16_t column;
  };

  const BruteForcePairs* pairs_;
  const PairTileKernels* kernels_;
  PairScratch scratch_;
  std::vector<int32_t> counts_;
  double radius_keys_[kMostRadii];
  // The pairs of two panels: their keys, places, and numbers of radii.
  double keys_[kMostPairs] = {};
  Places places_[kMostPairs];
  int64_t numbers_[kMostPairs];
};

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_EACH_COUNT_SINK_H_
