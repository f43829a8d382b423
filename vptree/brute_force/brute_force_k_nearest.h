// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// KNearestByBruteForce: the k nearest points of many queries by all pairs of
// queries and points, tile by tile. Call FindNearestNeighbors
// (vptree/nearest_neighbors.h), which chooses the index.
//
// A tile of 128 queries visits the tiles of points, nearest first, and skips
// those that its bounding box excludes. The filter of brute_force.h leaves the
// pairs that may be nearer than the worst of the k so far, whose exact keys
// decide. Memory: as brute_force.h for the queries and the points, or for the
// points alone if they are the queries.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_K_NEAREST_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_K_NEAREST_H_

#include <cstdint>

#include "absl/types/span.h"
#include "base/machine/work_share.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Sets nearest[q * k + j] to the j-th nearest point of query q, by key and then
// by id. `points` and `queries` are prepared and have one number of dimensions;
// there are at least k points, and k is at least 1. Null queries: the points.
// Leaves `nearest` undefined if the owner of `work`, which may be null, asks
// for the end.
void KNearestByBruteForce(const PointMatrix& points, const PointMatrix* queries,
                          Norm norm, int32_t k, int num_threads,
                          const WorkShare* work,
                          absl::Span<NearestPoint> nearest);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_BRUTE_FORCE_K_NEAREST_H_
