// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "algorithms/density_peaks/distributed/rank_points.h"

#include <utility>

#include "base/status/status_macros.h"

namespace warpclust {

absl::StatusOr<RankBoxes> RankBoxes::Gather(absl::Span<const double> box,
                                            Norm norm, Communicator& ranks) {
  RankBoxes boxes;
  boxes.norm_ = norm;
  boxes.width_ = box.size();
  ASSIGN_OR_RETURN(RankLists<double> all, ranks.AllGather(box));
  boxes.boxes_ = std::move(all.values);
  return boxes;
}

}  // namespace warpclust
