// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FindRankCutoff: the cutoff distance of a job whose points are in blocks.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CUTOFF_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CUTOFF_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// The distance at the CutoffQuantile of the options, from the same pairs as in
// one process (density/cutoff_distance.h). All ranks get the at most 7,000
// points of the pairs, by `links` if these are not null, and each meets its
// share of the pairs on `device`. Block r has the numbers
// [firsts[r], firsts[r + 1]).
absl::StatusOr<CutoffDistance> FindRankCutoff(
    const PointMatrix& block, absl::Span<const int64_t> firsts,
    const DensityPeaksOptions& options, Device device, DeviceLinks* links,
    Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CUTOFF_H_
