// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PairRounds (peaks/pair_rounds.h) in the memory of the GPU: a round passes
// over all points a few times, and only what groups and visitors need comes to
// the host. Memory: 34 bytes per point and 40 per basin; with visitors 24 per
// point more in a round, where they are there from the start. Names no CUDA
// code.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_PAIR_ROUNDS_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_PAIR_ROUNDS_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/peaks/basins.h"
#include "algorithms/density_peaks/peaks/pair_rounds.h"
#include "vptree/points/neighbor_index.h"

namespace warpclust {

struct DeviceSearches;  // density/cuda/device_searches.h

// `searches` have ranked the points by their densities, on the current GPU of
// the calling thread. `index`, for visitors only, is the index that has them,
// or null. Both outlive the rounds. ResourceExhausted, also of the rounds, if
// device memory does not suffice, or did not for the ranks; Unavailable in a
// build without CUDA.
absl::StatusOr<std::unique_ptr<PairRounds>> MakePairRoundsCuda(
    const PointsInBasins& points, DeviceSearches& searches,
    const NeighborIndex* index, double radius_key, int32_t num_basins);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_PAIR_ROUNDS_CUDA_H_
