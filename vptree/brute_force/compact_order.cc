// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0

#include "vptree/brute_force/compact_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "vptree/points/widest_dimension.h"

namespace warpclust {

std::vector<int32_t> CompactOrder(const std::vector<float>& keys, int32_t n,
                                  int width, int32_t panel, int32_t tile,
                                  int32_t first_part) {
  std::vector<int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::pair<int32_t, int32_t>> ranges;
  for (const auto& [begin, end] :
       {std::pair(int32_t{0}, first_part), std::pair(first_part, n)}) {
    if (end - begin > panel) ranges.push_back({begin, end});
  }
  while (!ranges.empty()) {
    const auto [begin, end] = ranges.back();
    ranges.pop_back();
    const int32_t widest = WidestDimension(begin, end, width, [&](int32_t i) {
      return keys.data() + static_cast<int64_t>(order[i]) * width;
    });
    const int32_t unit = end - begin > tile ? tile : panel;
    int32_t middle = (begin + (end - begin + 1) / 2 + unit - 1) / unit * unit;
    // Only if the range does not begin with a tile.
    if (middle >= end) middle -= unit;
    if (widest >= 0) {
      std::nth_element(order.begin() + begin, order.begin() + middle,
                       order.begin() + end, [&](int32_t a, int32_t b) {
                         return keys[static_cast<int64_t>(a) * width + widest] <
                                keys[static_cast<int64_t>(b) * width + widest];
                       });
    }
    if (middle - begin > panel) ranges.push_back({begin, middle});
    if (end - middle > panel) ranges.push_back({middle, end});
  }
  return order;
}

}  // namespace warpclust
