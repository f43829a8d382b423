// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindRankDensities: the densities of a rank's points. Each point counts among
// the rank's own points, and visits the ranks that have points within d_c of
// it; or blocks meet.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_DENSITIES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_DENSITIES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "algorithms/density_peaks/distributed/rank_search.h"

namespace warpclust {

// By place. `radius_key` is the key of d_c. Sets `boxes` unless blocks meet. A
// collective call.
absl::Status FindRankDensities(const RankSearch& search, double radius_key,
                               std::vector<int32_t>* densities,
                               RankBoxes* boxes);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_DENSITIES_H_
