// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindRankCandidates: the candidates for peaks of all ranks, and the basins of
// a rank's points (peaks/basins.h).

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CANDIDATES_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CANDIDATES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/distributed/rank_graph.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"

namespace warpclust {

struct RankBasins {
  // As FindBasins, except that candidates are numbers and that `basins` is by
  // place, of this rank's points.
  Basins basins;
  // By candidate.
  std::vector<int32_t> densities;
};

// As FindBasins begins: without saddles, so the neighbor of a candidate is the
// basin of its dependent point. A collective call. Chains are followed on
// `device`.
absl::StatusOr<RankBasins> FindRankCandidates(const RankPoints& mine,
                                              const RankGraph& graph,
                                              Device device, int num_threads,
                                              Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CANDIDATES_H_
