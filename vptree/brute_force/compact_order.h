// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// CompactOrder: points in an order in which those of a panel, and those of a
// tile, are near each other.
//
// Cost: n log n. Thread-safety: a pure function.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_COMPACT_ORDER_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_COMPACT_ORDER_H_

#include <cstdint>
#include <vector>

namespace warpclust {

// Halves recursively at the median of the widest dimension, down to panels;
// the left half is a whole number of tiles while there is more than one tile,
// then of panels. `keys`: n x width coordinates, row-major; a tile is a
// multiple of a panel. Returns the point at each position.
std::vector<int32_t> CompactOrder(const std::vector<float>& keys, int32_t n,
                                  int width, int32_t panel, int32_t tile);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_COMPACT_ORDER_H_
