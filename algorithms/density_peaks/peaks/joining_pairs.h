// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindJoiningPairs: of the pairs of an index's points, those that join basins
// (basins.h), without a list of all pairs.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_JOINING_PAIRS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_JOINING_PAIRS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/ranks.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {
namespace internal {

// A pair of points by their ranks, the pass before the other point: smaller
// numbers come first.
using PairOfRanks = uint64_t;

inline PairOfRanks MakePairOfRanks(int32_t rank, int32_t other) {
  return static_cast<PairOfRanks>(std::max(rank, other)) << 32 |
         static_cast<PairOfRanks>(std::min(rank, other));
}
inline int32_t PassOf(PairOfRanks pair) {
  return static_cast<int32_t>(pair >> 32);
}
inline int32_t OtherOf(PairOfRanks pair) {
  return static_cast<int32_t>(pair & 0xffffffffu);
}

// Returns the pairs that join groups of basins, in their order. The labels of
// `search` are `basins`, by point, below `num_basins`. `pairs` are any within
// the radius. Errors of the search.
absl::StatusOr<std::vector<PairOfRanks>> FindJoiningPairs(
    JoiningPairSearch& search, const DensityRanks& ranks,
    absl::Span<const int32_t> basins, int32_t num_basins,
    std::vector<PairOfRanks> pairs);

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_JOINING_PAIRS_H_
