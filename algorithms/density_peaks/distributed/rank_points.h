// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankPoints: the points that one rank of a job owns. Every point of the job is
// owned by one rank. A point has a number, its place in the input of all ranks,
// and a place among the points of its owner.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_POINTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/communicator/communicator.h"
#include "vptree/points/box_key.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

struct RankPoints {
  // By place. All ranks have the same number of dimensions.
  PointMatrix points;
  // Ascending, so that ties by number are ties by place.
  std::vector<int32_t> numbers;
};

// In more dimensions, boxes of points reach nearly everywhere: points stay
// where they are.
inline constexpr int32_t kMostPartitionedDimensions = 16;

// The bounding boxes of the points of all ranks.
class RankBoxes {
 public:
  // `box` is that of this rank: low of each dimension, then high.
  static absl::StatusOr<RankBoxes> Gather(absl::Span<const double> box,
                                          Norm norm, Communicator& ranks);

  // Likewise.
  absl::Span<const double> Box(int rank) const {
    return absl::MakeConstSpan(boxes_).subspan(rank * width_, width_);
  }
  // LeastKeyToBox of `row` and the points of a rank.
  double LeastKey(int rank, const double* row) const {
    return LeastKeyToBox(norm_, Box(rank).data(), row,
                         static_cast<int32_t>(width_ / 2));
  }

 private:
  Norm norm_ = Norm::kL2;
  size_t width_ = 0;
  std::vector<double> boxes_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_POINTS_H_
