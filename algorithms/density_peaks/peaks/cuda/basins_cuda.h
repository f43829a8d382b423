// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindBasins (peaks/basins.h) on the GPU, where the searches for the decision
// graph were. Memory there: 34 bytes per point and 40 per candidate. Names no
// CUDA code.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_BASINS_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_BASINS_CUDA_H_

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density/decision_graph.h"
#include "algorithms/density_peaks/peaks/basins.h"

namespace warpclust {

struct DeviceSearches;  // density/cuda/device_searches.h

// `searches` are those of `graph`, on the current GPU of the calling thread;
// radius_key is that of its cutoff distance. Unavailable in a build without
// CUDA; ResourceExhausted if device memory does not suffice.
absl::StatusOr<Basins> FindBasinsCuda(const DecisionGraph& graph,
                                      DeviceSearches& searches,
                                      double radius_key, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_PEAKS_CUDA_BASINS_CUDA_H_
