// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// ChooseIndex: the fastest index on the CPU for these points and this radius,
// by measurement.
//
// Box tree, VP-tree and brute force do the two searches of density peaks
// clustering on two subsets, a small part of the points and half of that, which
// shows how the time of each grows. Those that may be the fastest are built in
// full and timed on a part of CountWithin (NeighborIndex::EstimateSeconds). Up
// to 3 dimensions a box tree is taken unmeasured, and below a few thousand
// points whatever is right for the dimension: there, measuring takes longer
// than searching.
//
// Cost: a few percent of what the searches take. Determinism: which index is
// returned may vary from run to run; what it answers does not.
//
// Thread-safety: a pure function.

#ifndef WARPCLUST_VPTREE_CHOOSE_INDEX_H_
#define WARPCLUST_VPTREE_CHOOSE_INDEX_H_

#include <memory>

#include "absl/status/statusor.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// `num_threads` 0: all cores. The points must outlive the index.
// InvalidArgument if they are not valid or radius_key is negative or NaN.
absl::StatusOr<std::unique_ptr<NeighborIndex>> ChooseIndex(
    const PointMatrix& points, Norm norm, double radius_key, int num_threads);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_CHOOSE_INDEX_H_
