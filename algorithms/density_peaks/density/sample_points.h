// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SamplePoints: distinct points drawn uniformly, in O(k log k) for any n.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SAMPLE_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SAMPLE_POINTS_H_

#include <cstdint>
#include <vector>

namespace warpclust {

// min(k, n) different numbers in [0, n), ascending. `stream` makes samples of
// one seed independent.
std::vector<int32_t> SamplePoints(int32_t n, int32_t k, uint64_t seed,
                                  uint64_t stream);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_SAMPLE_POINTS_H_
