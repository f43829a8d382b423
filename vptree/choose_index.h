// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ChooseIndex: builds the NeighborIndex that is fastest on the CPU for the
// given points and radius, by measurement.
//
// It runs both searches of density peaks clustering with box tree, VP-tree and
// brute force on two subsets, a small share of the points and half of it, which
// shows how each time grows. Indexes that may be the fastest are built in full
// and timed on a part of CountWithin (NeighborIndex::EstimateSeconds). Up to 3
// dimensions it takes a box tree, and below a few thousand points the usual
// index for the dimension, without measuring.
//
// Cost: a few percent of the searches. The chosen index may vary between runs;
// its answers do not.

#ifndef WARPCLUST_VPTREE_CHOOSE_INDEX_H_
#define WARPCLUST_VPTREE_CHOOSE_INDEX_H_

#include <memory>

#include "absl/status/statusor.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// `radius_key`: the radius that CountWithin will get. `num_threads` 0: all
// cores. The points must outlive the index. InvalidArgument if they are invalid
// or the key is negative or NaN.
absl::StatusOr<std::unique_ptr<NeighborIndex>> ChooseIndex(
    const PointMatrix& points, Norm norm, double radius_key, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_CHOOSE_INDEX_H_
