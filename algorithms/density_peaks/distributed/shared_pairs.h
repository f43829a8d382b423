// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ClusterOnSharedPairs: density peaks in many dimensions where each rank has a
// GPU with the points of all ranks. The GPUs share the pairs, and tell each
// other what they found: densities once, dependent points three times, and
// saddles once a round (pair_share.h). The rest, which is little beside all
// pairs, each rank does for all points.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_SHARED_PAIRS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_SHARED_PAIRS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/device_index.h"
#include "algorithms/density_peaks/density_peaks.h"

namespace warpclust {

// A collective call. `all` has the points and brute force for this rank's share
// of their pairs. Sets the graph of all points, for the cutoff distance in
// result->graph, their clusters, and what `result` says of the searches.
// ResourceExhausted if the memory of a GPU does not suffice.
absl::Status ClusterOnSharedPairs(BegunIndex all,
                                  const DensityPeaksOptions& options,
                                  int32_t num_dimensions,
                                  DensityPeaksResult* result);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_SHARED_PAIRS_H_
