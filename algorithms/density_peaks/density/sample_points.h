// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SamplePoints: distinct points drawn uniformly, the same for the same seed.
//
// Cost: O(k log k), whatever n. Thread-safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SAMPLE_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SAMPLE_POINTS_H_

#include <cstdint>
#include <vector>

namespace warpclust {

// min(k, n) different numbers in [0, n), ascending. `stream` separates samples
// of one seed.
std::vector<int32_t> SamplePoints(int32_t n, int32_t k, uint64_t seed,
                                  uint64_t stream);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SAMPLE_POINTS_H_
