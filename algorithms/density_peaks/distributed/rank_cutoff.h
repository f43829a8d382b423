// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The cutoff distance of a job whose points are in blocks, from the same pairs
// as in one process (density/cutoff_distance.h).
//
//   ASSIGN_OR_RETURN(const DrawnPairs drawn,
//                    DrawPairs(block, firsts, options, links, ranks));
//   ASSIGN_OR_RETURN(const CutoffDistance cutoff,
//                    FindRankCutoff(drawn, block, firsts, options, device,
//                                   ranks));

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CUTOFF_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CUTOFF_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/density/cutoff_distance.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct DevicePoints;  // vptree/points/device_points.h

// Pairs of points, and the at most 7,000 points that they have.
struct DrawnPairs {
  internal::PairsToCount pairs;
  PointMatrix points;
};

// The same on all ranks, whose block r has the numbers [firsts[r],
// firsts[r + 1]). The points travel by `links` if these are not null. A
// collective call.
absl::StatusOr<DrawnPairs> DrawPairs(const PointMatrix& block,
                                     absl::Span<const int64_t> firsts,
                                     const DensityPeaksOptions& options,
                                     DeviceLinks* links, Communicator& ranks);

// The distance at the CutoffQuantile of the options. Each rank meets its share
// of the pairs on `device`, or all if they are not sampled. A collective call.
absl::StatusOr<CutoffDistance> FindRankCutoff(
    const DrawnPairs& drawn, const PointMatrix& block,
    absl::Span<const int64_t> firsts, const DensityPeaksOptions& options,
    Device device, Communicator& ranks);

// Pairs of points that this rank's GPU has, or will have.
struct PairsOnGpu {
  internal::PairsToCount pairs;
  absl::StatusOr<std::shared_ptr<internal::PairKeys>> keys;
};

// While the points of all ranks come to the GPU: FindRankCutoff then waits for
// no other work there, unless very many pairs are equally far apart.
PairsOnGpu BeginRankCutoff(std::shared_ptr<const DevicePoints> all,
                           int64_t num_points,
                           const DensityPeaksOptions& options);

// FindRankCutoff on ranks whose GPUs each have all points.
absl::StatusOr<CutoffDistance> FindRankCutoff(
    const PairsOnGpu& begun, const PointMatrix& block,
    absl::Span<const int64_t> firsts, const DensityPeaksOptions& options,
    Communicator& ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_CUTOFF_H_
