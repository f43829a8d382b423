// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// The clusters of one cover that intersect a cluster of the other, with the
// number of common items. Private to eval.
//
// Complexity of all clusters together: the sum over the groups of their
// clusters in the one cover times those in the other.

#ifndef WARPCLUST_EVAL_CLUSTER_INTERSECTIONS_H_
#define WARPCLUST_EVAL_CLUSTER_INTERSECTIONS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "eval/item_groups.h"

namespace warpclust::eval_internal {

// Scratch memory of one thread, reused from cluster to cluster.
class ClusterIntersections {
 public:
  // All belong to one ItemGroups, which must outlive this object.
  ClusterIntersections(const GroupedCover& from, const GroupedCover& to,
                       absl::Span<const int32_t> weights)
      : from_(from), to_(to), weights_(weights), common_(to.num_clusters()) {}

  // The clusters of `to` that have an item of `cluster` of `from`, in no
  // special order. The result, and those of CommonItems, are valid until the
  // next call.
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
