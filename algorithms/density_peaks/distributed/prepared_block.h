// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// PreparedBlock: the points of a rank on their way to an index. They are
// checked, prepared for their metric and copied to the GPU, or to all GPUs,
// while the links between GPUs are opened and, unless all GPUs get all points,
// the pairs for the cutoff distance are drawn.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_PREPARED_BLOCK_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_PREPARED_BLOCK_H_

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/density_peaks/density/cuda/device_index.h"
#include "algorithms/density_peaks/density_peaks_options.h"
#include "algorithms/density_peaks/distributed/cuda/device_links.h"
#include "algorithms/density_peaks/distributed/rank_cutoff.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "base/communicator/communicator.h"
#include "kernels/device/device.h"
#include "kernels/nccl/device_way.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class SharedPoints;  // cuda/shared_points.h

// Whether a rank compares all of its points with all others.
enum class AllPairs : int { kNotExpected, kLikely, kCertain };

class PreparedBlock {
 public:
  // `options` and `ranks` outlive it.
  PreparedBlock(PointMatrix points, const DensityPeaksOptions& options,
                Communicator& ranks, DeviceWay way)
      : options_(options), ranks_(ranks), way_(way) {
    mine_.points = std::move(points);
  }

  // A collective call, first and once. Errors as DensityPeaksOnRanks, on all
  // ranks.
  absl::Status Prepare();

  // Its points; their numbers are the owner's to set.
  RankPoints& mine() { return mine_; }
  Device device() const { return device_; }
  // Null unless all ranks have a GPU and these reach each other.
  DeviceLinks* links() const { return links_.get(); }

  // Block r has the numbers [firsts()[r], firsts()[r + 1]).
  const std::vector<int64_t>& firsts() const { return firsts_; }
  int64_t first() const { return firsts_[ranks_.rank()]; }

  // A rank without points has nothing for a GPU.
  bool has_gpu_work() const {
    return device_ == Device::kCuda && mine_.points.num_points > 0;
  }
  bool moves_points() const {
    return ranks_.size() > 1 &&
           mine_.points.num_dimensions <= kMostPartitionedDimensions;
  }
  // As far as it is known before there is an index.
  AllPairs ExpectedPairs() const;

  // Whether each GPU has the points of all ranks, in order of their numbers;
  // the same on all ranks. Then TakeBegun returns them, with brute force for
  // this rank's share of all pairs if it could be made.
  bool shares_pairs() const { return shares_pairs_; }
  // What of an index is on the GPU by now; waits for it.
  BegunIndex TakeBegun() {
    return begun_.valid() ? begun_.get() : BegunIndex();
  }
  // A collective call, for points that stay in their blocks: gives all points
  // to all GPUs, and makes brute force of them. Nothing, on all ranks or on
  // this one, if there are no links or a GPU has no room.
  absl::StatusOr<BegunIndex> SharePairs();
  // The pairs for the cutoff distance, if they were drawn.
  std::optional<DrawnPairs> TakeDrawn() {
    return std::exchange(drawn_, std::nullopt);
  }
  // The same after Prepare, if shares_pairs: among all points on this rank's
  // GPU.
  std::optional<PairsOnGpu> TakePairsOnGpu() {
    return std::exchange(pairs_on_gpu_, std::nullopt);
  }

 private:
  struct CheckedPoints {
    std::shared_ptr<DevicePoints> points;
    bool are_legal = false;
  };

  // All except the coordinates.
  absl::Status CheckArguments() const;
  absl::Status PreparePoints();
  bool copies_points() const;
  CheckedPoints CopyAndCheck(bool copies) const;
  std::shared_ptr<DevicePoints> CopyToDevice() const;
  void BeginSharedIndex(std::shared_ptr<DevicePoints> all);
  void BeginIndex(std::shared_ptr<DevicePoints> points);
  absl::StatusOr<bool> MaySharePairs(bool on_gpus);
  absl::StatusOr<std::shared_ptr<DevicePoints>> Gather(SharedPoints& shared,
                                                       bool begins_cutoff);
  absl::StatusOr<std::shared_ptr<DevicePoints>> GatherOnGpus(
      bool begins_cutoff);

  const DensityPeaksOptions& options_;
  Communicator& ranks_;
  const DeviceWay way_;
  Device device_ = Device::kCpu;
  std::vector<int64_t> firsts_ = {0};
  RankPoints mine_;
  std::unique_ptr<DeviceLinks> links_;
  std::optional<DrawnPairs> drawn_;
  bool shares_pairs_ = false;
  std::optional<PairsOnGpu> pairs_on_gpu_;
  // Of the points that all GPUs get.
  std::shared_ptr<ComingPoints> coming_;
  std::future<BegunIndex> begun_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_PREPARED_BLOCK_H_
