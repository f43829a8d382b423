// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The clusters of one cover that meet a given cluster of the other, with the
// number of common items. Private to eval.
//
// Cost of all clusters together: sum over the groups g of |clusters of g in the
// one cover| * |clusters of g in the other|.

#ifndef WARPCLUST_EVAL_CLUSTER_INTERSECTIONS_H_
#define WARPCLUST_EVAL_CLUSTER_INTERSECTIONS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "eval/item_groups.h"

namespace warpclust::eval_internal {

// Scratch space of one thread; reused from cluster to cluster.
class ClusterIntersections {
 public:
  // Both of the same ItemGroups, as are `weights`; they must outlive this.
  ClusterIntersections(const GroupedCover& from, const GroupedCover& to,
                       absl::Span<const int32_t> weights)
      : from_(from), to_(to), weights_(weights), common_(to.num_clusters()) {}

  // Clusters of `to` with an item of `cluster` of `from`, in no special order.
  // Valid until the next call, as is CommonItems.
  absl::Span<const int32_t> Find(int32_t cluster) {
    for (const int32_t other : found_) common_[other] = 0;
    found_.clear();
    for (const int32_t group : from_.GroupsOf(cluster)) {
      for (const int32_t other : to_.ClustersOf(group)) {
        if (common_[other] == 0) found_.push_back(other);
        common_[other] += weights_[group];
      }
    }
    return found_;
  }

  int32_t CommonItems(int32_t other) const { return common_[other]; }

 private:
  const GroupedCover& from_;
  const GroupedCover& to_;
  absl::Span<const int32_t> weights_;
  std::vector<int32_t> common_;
  std::vector<int32_t> found_;
};

}  // namespace warpclust::eval_internal

#endif  // WARPCLUST_EVAL_CLUSTER_INTERSECTIONS_H_
