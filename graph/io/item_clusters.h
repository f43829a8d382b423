// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ItemClusters: the clusters of each item of a cover, by their numbers in
// output: from 0 in order of first member (clusters with the same first member
// keep their order), without empty clusters.

#ifndef WARPCLUST_GRAPH_IO_ITEM_CLUSTERS_H_
#define WARPCLUST_GRAPH_IO_ITEM_CLUSTERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "graph/cover/cover.h"

namespace warpclust {

struct ItemClusters {
  // Item i is in [offsets[i], offsets[i + 1]) of `clusters`, which ascend.
  std::vector<int64_t> offsets = {0};
  std::vector<int32_t> clusters;

  absl::Span<const int32_t> Of(size_t item) const {
    return absl::MakeConstSpan(clusters).subspan(
        offsets[item], offsets[item + 1] - offsets[item]);
  }
};

// The clusters that have members, in the order of their numbers in output.
std::vector<int32_t> OutputOrder(const Cover& cover);

// `cover` must be valid for `num_items` items. O(items + memberships).
ItemClusters FindItemClusters(const Cover& cover, size_t num_items);

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_IO_ITEM_CLUSTERS_H_
