// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiled brute force: all pairs, a tile of points against a tile of points. The
// NeighborIndex for high dimensions, or a radius that reaches most points,
// where no tree can skip much.
//
// Cost: n^2 / 2 distances (each pair once), near the arithmetic limit of the
// CPU: most pairs are decided by a single-precision filter whose error bound is
// proved in pair_filter_errors.cc, the rest by their exact key. Tiles are
// compact, and a pair of them that lies wholly inside or outside the radius
// costs its bounding boxes only. From 65 dimensions on, where the points lie
// near a subspace, principal axes decide most pairs in place of all
// coordinates. L1 and LInf have no filter: exact keys, a vector at a time.
//
// Memory: the points once more in single precision, with principal axes twice
// at most and 64 floats a point; and O(n) a thread.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// `num_threads` 0: all cores. The points must outlive the index.
absl::StatusOr<std::unique_ptr<NeighborIndex>> BuildBruteForceIndex(
    const PointMatrix& points, Norm norm, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_H_
