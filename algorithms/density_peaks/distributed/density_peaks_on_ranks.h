// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Density peaks clustering (density_peaks.h) by the ranks of a job, for more
// points than one rank holds. The result is that of one process, byte for byte,
// for any number of ranks.
//
//   // On every rank, with its block of the input:
//   absl::StatusOr<DensityPeaksResult> result =
//       DensityPeaksOnRanks(block, options, ranks);
//
// 1. The cutoff distance comes from the same sample of pairs, at most 7,000
//    points, which all ranks get unless their GPUs have all points.
// 2. In up to 16 dimensions, points move so that those of a rank lie near each
//    other (partition.h).
// 3. Each rank searches among its own points. Then points visit other ranks
//    (visits.h): for their densities those within d_c of another rank's box,
//    for their dependent points those for which something nearer may be there.
// 4. All ranks choose the same peaks, from the best candidates of each, or by
//    significance from the saddles (rank_basins.h). Labels follow along the
//    dependent points (rank_labels.h), and go back to the blocks
//    (point_routes.h).
//
// Per rank, with p ranks and n points of d dimensions: O(n d / p) memory for
// points, index, results and the visitors from one rank, and 80 bytes per
// candidate for peaks of all ranks. Data sent: the points that leave once (none
// if d > 16) and 4 bytes for each label that goes back (20 with the graph),
// then 8 d + 5 bytes per visit for densities, 8 d + 40 per visit for dependent
// points and 8 d + 16 per visit for saddles. In many dimensions each point
// visits all ranks, n (p - 1) / p visits per rank. If all ranks use brute force
// there, each pair is compared once:
// - If each rank has a GPU with room for all points, and the GPUs reach each
//   other, all points go to all GPUs, which share the pairs (shared_pairs.h).
//   A GPU then has 11 d n bytes, and a rank 40 n for results of all points. It
//   sends each other rank, from GPU to GPU, 4 n bytes for densities, 36 n for
//   dependent points and 4 n in each round of saddles.
// - Else blocks meet (meetings.h): half as many points are sent as by visits,
//   with 4 d bytes if they are floats, with two to three times the memory for
//   points and index.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_DENSITY_PEAKS_ON_RANKS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_DENSITY_PEAKS_ON_RANKS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "algorithms/density_peaks/density_peaks.h"
#include "algorithms/density_peaks/peaks/peak_selection.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device_choice.h"
#include "kernels/nccl/device_way.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// What the blocks get back.
enum class RanksResult {
  kAll,
  kClusters,  // the graph has no arrays
};

// Point numbers count through the blocks of all ranks, in order of ranks; a
// block may be empty, with any number of dimensions. The arrays of the result
// have one element per point of `block`; dependent points, peaks and clusters
// are those of all points. All ranks pass the same options.
//
// A rank computes on the CPU or on its GPU (kernels/device/rank_device.h),
// which keeps its points and the index; visitors are chosen and searched for
// there, and blocks meet there. If all ranks have a GPU, points that move or
// are shared, and results go from GPU to GPU by `way`; kAuto is kPeers, so on
// one host only. All else that is exchanged passes through the hosts. As a
// device, kAuto chooses for RankPointsJob.
//
// Errors on all ranks: Unimplemented for the halo; Unavailable for kCuda if a
// rank has no GPU; InvalidArgument if blocks have different dimensions, and as
// DensityPeaks, with the place of a bad point in its block; ResourceExhausted
// beyond 2^31 - 1 points, or 2^30 on a rank that has points of its own, or if
// the memory of a GPU does not suffice; errors of the communicator.
absl::StatusOr<DensityPeaksResult> DensityPeaksOnRanks(
    PointMatrix block, const DensityPeaksOptions& options, Communicator& ranks,
    RanksResult result = RanksResult::kAll, DeviceWay way = DeviceWay::kAuto);

// About the bytes that moving the points of a block takes; 0 if they stay. For
// callers that have time to fetch them before (base/machine/heap_growth.h).
int64_t BytesToMove(const PointMatrix& block);

// The work of each of `num_ranks` ranks with this number of points in all.
PointsJob RankPointsJob(int64_t num_points, int32_t num_dimensions,
                        const PeakSelection& peaks, int num_ranks);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_DENSITY_PEAKS_ON_RANKS_H_
