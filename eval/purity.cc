// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "eval/purity.h"

#include <algorithm>

#include "base/status/status_macros.h"
#include "eval/cluster_intersections.h"
#include "eval/item_groups.h"

namespace warpclust {
namespace eval_internal {
namespace {

double PurityOfClusters(const ItemGroups& groups, const GroupedCover& clusters,
                        const GroupedCover& classes) {
  if (clusters.num_clusters() == 0) {
    return classes.num_clusters() == 0 ? 1 : 0;
  }
  ClusterIntersections intersections(clusters, classes, groups.weights);
  int64_t in_best_class = 0;
  int64_t memberships = 0;
  for (int32_t c = 0; c < clusters.num_clusters(); ++c) {
    memberships += clusters.cluster_sizes[c];
    int32_t most = 0;
    for (const int32_t other : intersections.Find(c)) {
      most = std::max(most, intersections.CommonItems(other));
    }
    in_best_class += most;
  }
  return static_cast<double>(in_best_class) / static_cast<double>(memberships);
}

}  // namespace

Purity PurityOf(const ItemGroups& groups) {
  Purity result;
  result.purity = PurityOfClusters(groups, groups.clusters, groups.truth);
  result.inverse_purity =
      PurityOfClusters(groups, groups.truth, groups.clusters);
  return result;
}

}  // namespace eval_internal

absl::StatusOr<Purity> ComputePurity(const Cover& truth, const Cover& clusters,
                                     int32_t num_items) {
  ASSIGN_OR_RETURN(const eval_internal::ItemGroups groups,
                   eval_internal::GroupItems(truth, clusters, num_items));
  return eval_internal::PurityOf(groups);
}

}  // namespace warpclust
