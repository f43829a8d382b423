// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Tiled brute force: all pairs of points, tile by tile. It is the NeighborIndex
// for many dimensions, and for a radius that reaches most points, where a tree
// skips little.
//
// Cost: n^2 / 2 distances, each pair once. Most pairs are decided by a
// single-precision filter whose error bound pair_filter_errors.cc proves, the
// rest by their exact key. A pair of tiles that lies wholly inside or outside
// the radius costs its bounding boxes only. From 65 dimensions on, if the
// points lie near a subspace, principal axes decide most pairs instead of all
// coordinates; pairs of images, whose coordinates 8 bits hold, are then decided
// by bytes. L1 and LInf have no filter: all keys are exact.
//
// Memory: the points once more in single precision, images as bytes; with
// principal axes, at most twice and 64 floats per point; and O(n) per thread.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// `num_threads` 0: all cores. The points must outlive the index.
// InvalidArgument if they are invalid.
absl::StatusOr<std::unique_ptr<NeighborIndex>> BuildBruteForceIndex(
    const PointMatrix& points, Norm norm, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_H_
