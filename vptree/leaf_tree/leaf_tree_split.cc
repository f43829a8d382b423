// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_split.h"

#include <algorithm>

namespace warpclust {
namespace leaf_tree_split_internal {

SplitPivot SelectAmong(ValueAndId* items, int64_t count, int64_t rank) {
  const auto value = [](const ValueAndId& item) { return item.value; };
  // By buckets again, while that halves the items. Equal or widely spread
  // values are left to comparisons.
  while (count > 48) {
    double low = items[0].value;
    double high = low;
    for (int64_t i = 1; i < count; ++i) {
      low = items[i].value < low ? items[i].value : low;
      high = items[i].value > high ? items[i].value : high;
    }
    int64_t below;
    // In place: each item is read before it is overwritten.
    const int64_t kept =
        KeepBucket(items, count, rank, value, low, high, items, &below);
    rank -= below;
    const bool little = kept > count / 2;
    count = kept;
    if (little) break;
  }
  std::nth_element(items, items + rank, items + count);
  // Those of equal values are in the same bucket.
  const ValueAndId item = items[rank];
  return {item, std::any_of(items, items + rank, [&](const ValueAndId& other) {
            return other.value == item.value;
          })};
}

}  // namespace leaf_tree_split_internal
}  // namespace warpclust
