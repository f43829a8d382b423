// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The incremental engine on the GPU. Points and answers stay there; only the
// batch goes to it.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_CUDA_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_CUDA_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/incremental/incremental_engine.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

// An engine without points. `vp_tree`: a VP-tree instead of a box tree.
// Unavailable if this build has no CUDA code or no GPU answers.
absl::StatusOr<std::unique_ptr<IncrementalEngine>> MakeIncrementalCuda(
    Norm norm, int32_t num_dimensions, double radius_key, bool vp_tree);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_CUDA_H_
