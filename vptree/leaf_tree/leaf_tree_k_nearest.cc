// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/leaf_tree/leaf_tree_k_nearest.h"

#include <algorithm>
#include <cstddef>

#include "vptree/points/nearest_point.h"

namespace warpclust {

void KNearestBlock::Sort(int lane) {
  sorted.resize(counts[lane]);
  for (size_t i = 0; i < sorted.size(); ++i) {
    sorted[i] = {KeysOf(lane)[i], IdsOf(lane)[i]};
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const NearestPoint& a, const NearestPoint& b) {
              return Preferred(a.key, a.id, b.key, b.id);
            });
  for (size_t i = 0; i < sorted.size(); ++i) {
    KeysOf(lane)[i] = sorted[i].key;
    IdsOf(lane)[i] = sorted[i].id;
  }
}

}  // namespace warpclust
