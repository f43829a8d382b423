// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindRankCandidates: the candidates for peaks of all ranks, and the basins of
// a rank's points (peaks/basins.h). Standings compare points of different
// ranks.

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

// A point's standing among the points of all ranks: the smaller, the higher its
// rank by density. It has the density and the number of the point.
using PointStanding = uint64_t;

inline PointStanding StandingOf(const RankPoints& mine, const RankGraph& graph,
                                int32_t place) {
  return static_cast<PointStanding>(
             ~static_cast<uint32_t>(graph.graph.densities[place]))
             << 32 |
         static_cast<uint32_t>(mine.numbers[place]);
}
inline int32_t DensityOf(PointStanding standing) {
  return static_cast<int32_t>(~static_cast<uint32_t>(standing >> 32));
}
inline int32_t NumberOf(PointStanding standing) {
  return static_cast<int32_t>(standing & 0xffffffffu);
}

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
