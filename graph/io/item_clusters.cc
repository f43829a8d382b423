// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "graph/io/item_clusters.h"

#include <algorithm>
#include <numeric>

namespace warpclust {

std::vector<int32_t> OutputOrder(const Cover& cover) {
  std::vector<int32_t> order;
  for (int32_t c = 0; c < cover.num_clusters(); ++c) {
    if (!cover.MembersOf(c).empty()) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return cover.MembersOf(a).front() < cover.MembersOf(b).front();
  });
  return order;
}

ItemClusters FindItemClusters(const Cover& cover, size_t num_items) {
  const std::vector<int32_t> order = OutputOrder(cover);
  ItemClusters items;
  items.offsets.assign(num_items + 1, 0);
  for (const int32_t item : cover.members) ++items.offsets[item + 1];
  std::partial_sum(items.offsets.begin(), items.offsets.end(),
                   items.offsets.begin());
  items.clusters.resize(cover.members.size());
  std::vector<int64_t> next(items.offsets.begin(), items.offsets.end() - 1);
  for (size_t number = 0; number < order.size(); ++number) {
    for (const int32_t item : cover.MembersOf(order[number])) {
      items.clusters[next[item]++] = static_cast<int32_t>(number);
    }
  }
  return items;
}

}  // namespace warpclust
