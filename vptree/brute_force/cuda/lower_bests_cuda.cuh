// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What brings the search for other labels on: pairs and tiles that are within
// the radius lower the bests of TileLabelState.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_LOWER_BESTS_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_LOWER_BESTS_CUDA_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "vptree/brute_force/cuda/point_tiles_cuda.h"
#include "vptree/brute_force/cuda/tile_search_cuda.h"
#include "vptree/points/label_summary.h"

namespace warpclust {

// Lowers the best of the point at `place` to `rank`.
__device__ inline void LowerBest(const TileLabelState& s, int32_t place,
                                 int32_t rank) {
  const volatile int32_t* best = s.best;
  if (rank < best[place]) atomicMin(s.best + place, rank);
}

// The same for both points of a pair that is within the radius.
__device__ inline void LowerBests(const TileLabelState& s, int32_t row_place,
                                  int32_t column_place) {
  LowerBest(s, row_place, s.ranks[column_place]);
  LowerBest(s, column_place, s.ranks[row_place]);
}

// Whether a pair within the radius would lower a best.
__device__ inline bool PairMatters(const TileLabelState& s, int32_t row_place,
                                   int32_t column_place) {
  const volatile int32_t* best = s.best;
  return s.labels[row_place] != s.labels[column_place] &&
         (s.ranks[column_place] < best[row_place] ||
          s.ranks[row_place] < best[column_place]);
}

// Whether points of tile `from` may lower a best of tile `to`.
__device__ inline bool TileMatters(const TileLabelState& s, int32_t from,
                                   int32_t to) {
  const bool is_one_label = s.summaries[to].other_min_rank == INT32_MAX;
  const int32_t rank =
      is_one_label
          ? RankOfOtherLabel(s.summaries[from], s.summaries[to].min_label)
          : s.summaries[from].min_rank;
  return rank < s.most_best[to];
}

// Lowers the bests of tile `to`, all within the radius of tile `from`. Called
// by a warp.
__device__ inline void LowerTile(const TileLabelState& s, int32_t from,
                                 int32_t to) {
  for (int i = static_cast<int>(threadIdx.x) & 31; i < kTilePoints; i += 32) {
    const int32_t place = to * kTilePoints + i;
    LowerBest(s, place, RankOfOtherLabel(s.summaries[from], s.labels[place]));
  }
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_LOWER_BESTS_CUDA_CUH_
