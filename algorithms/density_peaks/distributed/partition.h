// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PartitionPoints moves points so that those of a rank lie near each other.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_PARTITION_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_PARTITION_H_

#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "algorithms/density_peaks/distributed/point_routes.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "base/communicator/communicator.h"

namespace warpclust {

struct Partition {
  // The ways of the points of this block.
  PointRoutes routes;
  // The points of `mine` if GPUs have exchanged them, or null.
  std::shared_ptr<DevicePoints> on_device;
};

// Each rank gets about as many points: recursive bisection (bisection.h) of 512
// points of each rank, which all ranks have. Each rank sends those that leave
// it once. Before, each rank has a block of points with the numbers from
// `first` on, a later rank larger ones; `mine->numbers` may be empty. If
// `links` is not null, points go from GPU to GPU, and `mine` has no
// coordinates then; block_on_device(), called once, returns the block there, or
// null if it did not fit. Otherwise they go through the hosts.
absl::StatusOr<Partition> PartitionPoints(
    int64_t first, int num_threads, Communicator& ranks, DeviceLinks* links,
    absl::FunctionRef<std::shared_ptr<DevicePoints>()> block_on_device,
    RankPoints* mine);

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_PARTITION_H_
