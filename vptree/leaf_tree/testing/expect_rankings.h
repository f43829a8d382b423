// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of NeighborIndex::CountWithinEach and CountAndRank against the plain
// loop. They draw radii from `random`.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_TESTING_EXPECT_RANKINGS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_TESTING_EXPECT_RANKINGS_H_

#include <cstdint>
#include <vector>

#include "vptree/leaf_tree/testing/hard_points.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/neighbor_index.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

// Up to 40 radii, so that there are several passes; some are equal.
void ExpectCountsOfEach(const PointMatrix& points, Norm norm,
                        const NeighborIndex& tree, TestRandom* random);

// Ranks by falling counts.
std::vector<int32_t> RanksOfCounts(const std::vector<int32_t>& counts);

// With kept neighbors: the counts of the same radii, and the answers by them in
// any order of the rankings.
void ExpectRankings(const PointMatrix& points, Norm norm,
                    const NeighborIndex& tree, int32_t num_rankings,
                    TestRandom* random);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_TESTING_EXPECT_RANKINGS_H_
