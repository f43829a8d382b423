// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// A check of NeighborIndex::JoiningPairs against the plain loop.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_TESTING_EXPECT_JOINING_PAIRS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_TESTING_EXPECT_JOINING_PAIRS_H_

#include <cstdint>
#include <vector>

#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// With any groups: the pairs of the plain loop, from all parts at once and from
// one part after the other. Adds to *num_pairs.
void ExpectJoiningPairs(const PointMatrix& points, Norm norm, double radius_key,
                        const std::vector<int32_t>& counts,
                        const NeighborIndex& tree, TestRandom* random,
                        int64_t* num_pairs);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_TESTING_EXPECT_JOINING_PAIRS_H_
