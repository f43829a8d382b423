// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The incremental engine on the CPU, over a DynamicTree.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_CPU_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_CPU_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/incremental/incremental_engine.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

// An engine without points. `vp_tree`: a VP-tree instead of a box tree.
// `num_threads` 0: all cores. InvalidArgument if there are no dimensions.
absl::StatusOr<std::unique_ptr<IncrementalEngine>> MakeIncrementalCpu(
    Norm norm, int32_t num_dimensions, double radius_key, bool vp_tree,
    int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_INCREMENTAL_INCREMENTAL_CPU_H_
