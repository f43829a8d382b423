// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SetCandidateBasins: numbers the candidates by rank, and finds the basin of
// each point (basins.h). Private to peaks.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CANDIDATE_BASINS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CANDIDATE_BASINS_H_

#include <cstdint>
#include <vector>

#include "algorithms/density_peaks/density/ranks.h"

namespace warpclust {
namespace internal {

// `is_candidate` and `dependents` are by point. The point of rank 0 is a
// candidate; the dependent points of others have higher ranks than they.
// `candidates` and `basins` are empty. Complexity: O(points) in random order of
// memory.
void SetCandidateBasins(const std::vector<uint8_t>& is_candidate,
                        const std::vector<int32_t>& dependents,
                        const DensityRanks& ranks, int num_threads,
                        std::vector<int32_t>* candidates,
                        std::vector<int32_t>* basins);

}  // namespace internal
}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CANDIDATE_BASINS_H_
