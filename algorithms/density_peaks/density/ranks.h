// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density ranks: the strict order of points by density, highest first, ties by
// the smaller id (decision_graph.h). With the ties broken, every point except
// the first has exactly one dependent point.
//
//   const DensityRanks ranks = RanksOfDensities(graph.densities);

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_RANKS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_RANKS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace warpclust {

struct DensityRanks {
  // By point: its rank, a permutation of 0 … n - 1.
  std::vector<int32_t> ranks;
  // By rank: the point that has it.
  std::vector<int32_t> order;
};

// Sets ranks[i] for every point with a density in [0, n), and the largest int32
// for points of density -1, which are not there. O(n) by counting, on one
// thread; `starts` is scratch of one element more than the largest density.
void RankByDensity(absl::Span<const int32_t> densities,
                   std::vector<int32_t>* starts, std::vector<int32_t>* ranks);

// `densities` are not negative. O(n) by counting, with 4 bytes of scratch per
// density up to the largest and thread, of which there are fewer if that would
// be more than 4 n.
DensityRanks RanksOfDensities(absl::Span<const int32_t> densities,
                              int num_threads = 1);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_RANKS_H_
