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
#include "algorithms/density_peaks/distributed/rank_search.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/pair_rounds.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

// The pairs in their order, the same on all ranks. `order`: the density ranks
// of the rank's points. `joining`, of search.index, has the basins of `points`
// as labels, and one number of points above; it may be null if there are no
// points. A collective call.
absl::StatusOr<std::vector<internal::BasinPair>> FindJoinsOnRanks(
    const RankSearch& search, const PointsInBasins& points,
    const DensityRanks& order, const RankBoxes& boxes, double radius_key,
    int32_t num_basins, JoiningPairSearch* joining);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_JOINS_H_
