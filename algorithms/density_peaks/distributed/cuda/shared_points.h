// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// SharedPoints: the points of all ranks on the GPU of each, for searches that
// share all pairs (vptree/brute_force/cuda/pair_share.h). A rank copies its own
// to the GPU part by part, while those that are there go to the other GPUs.
// Names no CUDA code.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_SHARED_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_SHARED_POINTS_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "base/communicator/communicator.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class SharedPoints {
 public:
  // On every rank, which has a GPU. `mine`, the points of this rank, has the
  // numbers [firsts[rank], firsts[rank + 1]) and begins to be copied, on other
  // threads. All arguments outlive the object.
  SharedPoints(const PointMatrix& mine, Norm norm,
               absl::Span<const int64_t> firsts, Communicator& ranks);
  ~SharedPoints();

  // A collective call, once. The points of all ranks, in order of their
  // numbers. Null, on all ranks, if `links` is null, or a GPU has no room for
  // them and for brute force among them. `expect`, unless they will be null,
  // gets them before the first has come, and `came` then the numbers
  // [first, first + count) of those that have.
  absl::StatusOr<std::shared_ptr<DevicePoints>> Gather(
      DeviceLinks* links,
      const std::function<void(std::shared_ptr<const DevicePoints>)>& expect,
      const std::function<void(int64_t first, int64_t count)>& came);

 private:
  class Upload;

  const absl::Span<const int64_t> firsts_;
  Communicator& ranks_;
  std::unique_ptr<Upload> upload_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_CUDA_SHARED_POINTS_H_
