// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RankPoints: the points that one rank of a job owns. Every point of the job is
// owned by one rank. A point has a number, its place in the input of all ranks,
// and a place among the points of its owner.

#ifndef WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_POINTS_H_
#define WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_POINTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "base/communicator/communicator.h"
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
  static absl::StatusOr<RankBoxes> Gather(const PointMatrix& points, Norm norm,
                                          int num_threads, Communicator& ranks);

  // A lower bound of the keys of `row` and the points of a rank; exact, since
  // keys of bounds are bounds of keys (vptree/points/distance_key.h). Infinite
  // for a rank without points.
  double LeastKey(int rank, const double* row) const {
    switch (norm_) {
      case Norm::kL2:
        return LeastKeyOf<Norm::kL2>(rank, row);
      case Norm::kL1:
        return LeastKeyOf<Norm::kL1>(rank, row);
      case Norm::kLInf:
        break;
    }
    return LeastKeyOf<Norm::kLInf>(rank, row);
  }

 private:
  template <Norm kNorm>
  double LeastKeyOf(int rank, const double* row) const {
    const double* const low =
        boxes_.data() + 2 * static_cast<size_t>(num_dimensions_) * rank;
    const double* const high = low + num_dimensions_;
    if (low[0] > high[0]) return std::numeric_limits<double>::infinity();
    double key = 0;
    for (int32_t k = 0; k < num_dimensions_; ++k) {
      const double outside = std::max(low[k] - row[k], row[k] - high[k]);
      // Most points are outside in one dimension, and fma is a call.
      if (outside > 0) key = AddToKey<kNorm>(key, outside);
    }
    return key;
  }

  Norm norm_ = Norm::kL2;
  int32_t num_dimensions_ = 0;
  // By rank: low of each dimension, then high.
  std::vector<double> boxes_;
};

}  // namespace warpclust

#endif  // WARPCLUST_ALGORITHMS_DENSITY_PEAKS_DISTRIBUTED_RANK_POINTS_H_
