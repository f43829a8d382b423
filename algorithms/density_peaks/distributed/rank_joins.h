// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindJoinsOnRanks: the pairs that join basins (peaks/basins.h), where the
// index of each rank finds joining pairs (JoiningPairSearch). A rank finds
// those of its own points, and all ranks get them. Then a point with something
// near on another rank visits it once, as the pass of pairs, and only pairs of
// basins that better ones do not join are found.
//
// Cost: about one search of each point, and one of each visitor. A rank sends
// 8 d + 16 bytes per visit, and 24 bytes per pair that it adds to each other
// rank. Memory: that of the search, 48 bytes per pair of all ranks, 28 per
// basin.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_JOINS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_JOINS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "algorithms/density_peaks/distributed/rank_rows.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/pair_rounds.h"
#include "base/communicator/communicator.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

// The pairs in their order, the same on all ranks. `search`, of this rank's
// index, has the basins of `points` as labels, and one number of points above.
// `order`: the density ranks of the points. `rows` are their coordinates, of
// `num_dimensions`. A collective call.
absl::StatusOr<std::vector<internal::BasinPair>> FindJoinsOnRanks(
    const PointsInBasins& points, const DensityRanks& order,
    int32_t num_dimensions, const RankRows& rows, const RankBoxes& boxes,
    double radius_key, JoiningPairSearch& search, int32_t num_basins,
    int num_threads, Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_JOINS_H_
