// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The basins and saddles (peaks/basins.h) of a job, of which each rank has the
// points that it owns.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_BASINS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_BASINS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/distributed/rank_candidates.h"
#include "algorithms/density_peaks/distributed/rank_graph.h"
#include "algorithms/density_peaks/distributed/rank_search.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "kernels/device/device.h"

namespace warpclust {

struct DeviceSearches;  // density/cuda/device_searches.h

// The pairs that join groups are found by one visit of points (rank_joins.h) if
// the indexes of all ranks find joining pairs, as trees on CPUs do. Otherwise
// they are found in rounds (peaks/pair_rounds.h). In each, points with
// something near on another rank, by graph.boxes, visit it (or, if there are
// search.blocks, and one meeting or many points search, blocks meet as in
// FindRankGraph; with one meeting graph.boxes may be empty) with the bound that
// their group has, and all ranks get the first pair of each group.
//
// All ranks have all candidates: 80 bytes each. `graph` is what FindRankGraph
// returned. Chains are followed on `device`. `on_device`: what search.index has
// on the GPU, where the rounds then take place, or null. A collective call.
absl::StatusOr<RankBasins> FindRankBasins(const RankSearch& search,
                                          const RankGraph& graph,
                                          DeviceSearches* on_device,
                                          Device device);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_BASINS_H_
