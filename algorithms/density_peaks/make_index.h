// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// MakeIndex: the index that the options ask for. Thread-safety: pure.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_MAKE_INDEX_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_MAKE_INDEX_H_

#include <memory>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// For `prepared` points, which outlive the index; of the options metric, index
// and num_threads matter. kAuto measures, with `radius_key`. Errors of the
// builders.
absl::StatusOr<std::unique_ptr<NeighborIndex>> MakeIndex(
    const PointMatrix& prepared, const DensityPeaksOptions& options,
    double radius_key);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_MAKE_INDEX_H_
