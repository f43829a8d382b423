// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// DeviceBlockSearch: the BlockSearch of the GPU, by brute force. It has copies
// of both blocks there.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_BLOCK_SEARCH_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_BLOCK_SEARCH_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/points/block_search.h"
#include "vptree/points/device_points.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/packed_points.h"

namespace warpclust {

class DeviceBlockSearch final : public BlockSearch {
 public:
  // Between the points from `begin` on and `others`, of which these are the
  // first block if `others_first`.
  static absl::StatusOr<std::unique_ptr<DeviceBlockSearch>> Make(
      const DevicePoints& points, int32_t begin, const PackedRows& others,
      bool others_first);

  bool reads_rows() const override { return false; }
  absl::Status CountWithin(double radius_key,
                           absl::Span<int32_t> counts) const override;
  absl::Status NearestOfHigherRank(
      absl::Span<const int32_t> ranks,
      absl::Span<NearestPoint> nearest) const override;
  absl::Status HighestRankOfOtherLabel(double radius_key,
                                       absl::Span<const int32_t> ranks,
                                       absl::Span<const int32_t> labels,
                                       absl::Span<int32_t> best) const override;
  int64_t distance_evaluations() const override { return 0; }

 private:
  DeviceBlockSearch() = default;

  DevicePoints both_;
  // Searches keep statistics in it.
  mutable CudaBruteForce search_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DENSITY_CUDA_DEVICE_BLOCK_SEARCH_H_
