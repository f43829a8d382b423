// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PairParts: which pairs count where the points are two parts, whose orders
// follow each other (PairFilter): those of a point of the first and one of the
// second; or all pairs, if the first part is empty.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_PARTS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_PARTS_H_

#include <omp.h>

#include <cstdint>
#include <vector>

#include "base/machine/cpu_features.h"
#include "vptree/brute_force/brute_force_pairs.h"
#include "vptree/brute_force/brute_force_within.h"
#include "vptree/brute_force/pair_tile_kernels.h"
#include "vptree/brute_force/tile_boxes.h"

namespace warpclust {

// Two of the functions of a Sink (brute_force_within.h), and one for its masks.
class PairParts {
 public:
  explicit PairParts(int32_t first_part) : first_part_(first_part) {}

  int32_t first_part() const { return first_part_; }

  bool Wants(int32_t row_panel, int32_t column_panel) const {
    return first_part_ == 0 ||
           (row_panel * kPanelPoints < first_part_ &&
            (column_panel + 1) * kPanelPoints > first_part_);
  }
  // Of panels that it wants.
  uint32_t WantedColumns(int32_t row, int32_t column_panel) const {
    if (first_part_ == 0) return ~uint32_t{0};
    if (row >= first_part_) return 0;
    const int32_t before = first_part_ - column_panel * kPanelPoints;
    return before <= 0 ? ~uint32_t{0} : ~uint32_t{0} << before;
  }
  // Leaves the pairs that count in the masks of such panels.
  void Restrict(int32_t row_panel, int32_t column_panel,
                uint32_t* masks) const {
    if ((row_panel + 1) * kPanelPoints <= first_part_ &&
        column_panel * kPanelPoints >= first_part_) {
      return;
    }
    for (int i = 0; i < kPanelPoints; ++i) {
      masks[i] &= WantedColumns(row_panel * kPanelPoints + i, column_panel);
    }
  }

 private:
  int32_t first_part_;
};

// Visits the pairs of tiles that have such pairs, with the sink of its thread.
// Returns the distances computed.
template <class Sink>
int64_t VisitPartsWithin(const BruteForcePairs& pairs, PairParts parts,
                         double radius_key, int num_threads,
                         std::vector<Sink>* sinks) {
  const BruteForcePairs::Radius radius = pairs.MakeRadius(radius_key);
  const PairTileKernels& kernels = PairTileKernelsFor(CpuSimdLevel());
  // A tile in the middle may have points of both parts.
  const int32_t first_part = parts.first_part();
  const int32_t rows = first_part == 0 ? pairs.num_tiles()
                                       : (first_part + kFilterTilePoints - 1) /
                                             kFilterTilePoints;
  const PairScratch none(pairs.filter().num_dimensions(), pairs.num_tiles());
  std::vector<PairScratch> scratch(num_threads, none);
#pragma omp parallel for schedule(dynamic) num_threads(num_threads)
  for (int32_t tile = 0; tile < rows; ++tile) {
    const int thread = omp_get_thread_num();
    const int32_t begin =
        first_part == 0 ? tile : first_part / kFilterTilePoints;
    VisitTilesWithin(pairs, radius, kernels, tile, begin, pairs.num_tiles(),
                     &scratch[thread], &(*sinks)[thread]);
  }
  int64_t evaluations = 0;
  for (const PairScratch& of_thread : scratch) {
    evaluations += of_thread.evaluations;
  }
  return evaluations;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_PAIR_PARTS_H_
