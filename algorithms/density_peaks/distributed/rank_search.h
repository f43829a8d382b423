// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankSearch: what the searches of a rank's points among those of all ranks
// have in common.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_SEARCH_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_SEARCH_H_

#include "algorithms/density_peaks/distributed/met_blocks.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "algorithms/density_peaks/distributed/rank_rows.h"
#include "base/communicator/communicator.h"
#include "vptree/points/metric.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

struct RankSearch {
  // The points are prepared for `metric`; `rows` and `index` are theirs.
  const RankPoints& mine;
  const RankRows& rows;
  const NeighborIndex& index;
  Metric metric;
  // Null: points visit other ranks. Else each pair of ranks compares all points
  // of the one with all of the other, once (meetings.h).
  MetBlocks* blocks;
  int threads;
  Communicator& ranks;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_SEARCH_H_
