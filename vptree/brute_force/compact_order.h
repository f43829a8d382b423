// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CompactOrder: an order of points in which the points of a panel, and those of
// a tile, are near each other. Cost: O(n log n).

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_COMPACT_ORDER_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_COMPACT_ORDER_H_

#include <cstdint>
#include <vector>

namespace warpclust {

// Of points with more dimensions, callers pass the widest 16.
inline constexpr int kOrderDimensions = 16;

// Halves recursively at the median of the widest dimension
// (vptree/points/widest_dimension.h), down to panels. The left half ends with a
// tile, or with a panel within a tile. `keys`: n x width coordinates,
// row-major. `tile` is a multiple of `panel`. Returns the point at each
// position. The first `first_part` points stay before the others.
std::vector<int32_t> CompactOrder(const std::vector<float>& keys, int32_t n,
                                  int width, int32_t panel, int32_t tile,
                                  int32_t first_part = 0);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_COMPACT_ORDER_H_
