// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankRows: what searches on other ranks ask of the coordinates of a rank's
// points. Those of points on a GPU are read there, where all of them are passed
// over in the time in which the host reads a few.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_ROWS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_ROWS_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "algorithms/density_peaks/distributed/cuda/rank_rows_cuda.h"
#include "algorithms/density_peaks/distributed/rank_points.h"
#include "base/communicator/communicator.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

class RankRows {
 public:
  // `on_device` has the points too, or is null. on_host(), which may be called
  // more than once, is called before coordinates of `points` are read, which
  // happens without `on_device` or if the memory of the GPU runs out. Both
  // outlive the object.
  RankRows(const PointMatrix& points, const DevicePoints* on_device,
           std::function<absl::Status()> on_host, int num_threads)
      : points_(points),
        on_device_(on_device),
        on_host_(std::move(on_host)),
        threads_(num_threads) {}

  // As `box` of RankBoxes::Gather.
  absl::StatusOr<std::vector<double>> Box() const;

  // For each rank visited in the steps from `step` on, up to kVisitedAtOnce,
  // the points whose least key to its box is at most their limit; ascending.
  // If only the GPU knows which points are asked for, and its memory does not
  // suffice, it may be others too.
  absl::StatusOr<std::vector<std::vector<int32_t>>> NearRanks(
      const Communicator& ranks, int step, const RankBoxes& boxes,
      const KeyLimits& limits) const;

  // The coordinates of these points, one after the other.
  absl::StatusOr<std::vector<double>> Rows(
      absl::Span<const int32_t> places) const;

 private:
  const PointMatrix& points_;
  const DevicePoints* const on_device_;
  const std::function<absl::Status()> on_host_;
  const int threads_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_ROWS_H_
