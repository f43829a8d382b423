// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ItemGroups: two covers of the same items, in which the items of exactly the
// same clusters of both are merged into one weighted group. The measures see
// items only through their clusters, so they have the same values on the
// groups; real covers have far fewer groups than items.
//
// Private to eval. O(items + memberships) time and memory. Groups are numbered
// by their first item, whatever the order of the clusters.

#ifndef WARPCLUST_EVAL_ITEM_GROUPS_H_
#define WARPCLUST_EVAL_ITEM_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "graph/cover/cover.h"

namespace warpclust::eval_internal {

// One cover with groups instead of items. Empty clusters are dropped, since no
// measure is defined for them.
struct GroupedCover {
  // Groups of each cluster, ascending; num_clusters() + 1 offsets.
  std::vector<int64_t> cluster_offsets = {0};
  std::vector<int32_t> cluster_groups;
  // Clusters of each group, ascending; one more offset than groups.
  std::vector<int64_t> group_offsets = {0};
  std::vector<int32_t> group_clusters;
  // Items (not groups) of each cluster: at least 1.
  std::vector<int32_t> cluster_sizes;

  int32_t num_clusters() const {
    return static_cast<int32_t>(cluster_sizes.size());
  }
  absl::Span<const int32_t> GroupsOf(int32_t cluster) const {
    return absl::MakeConstSpan(cluster_groups)
        .subspan(cluster_offsets[cluster],
                 cluster_offsets[cluster + 1] - cluster_offsets[cluster]);
  }
  absl::Span<const int32_t> ClustersOf(int32_t group) const {
    return absl::MakeConstSpan(group_clusters)
        .subspan(group_offsets[group],
                 group_offsets[group + 1] - group_offsets[group]);
  }
};

struct ItemGroups {
  int32_t num_items = 0;
  // Items in each group: at least 1; they add up to num_items.
  std::vector<int32_t> weights;
  GroupedCover truth;
  GroupedCover clusters;

  int32_t num_groups() const { return static_cast<int32_t>(weights.size()); }
};

// Validates both covers and merges the items. InvalidArgument for a negative
// `num_items` or `num_threads` (of the measure) or a malformed cover.
absl::StatusOr<ItemGroups> GroupItems(const Cover& truth, const Cover& clusters,
                                      int32_t num_items, int num_threads = 0);

}  // namespace warpclust::eval_internal

#endif  // WARPCLUST_EVAL_ITEM_GROUPS_H_
