// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random points, ranks and radii that tests of trees search.

#ifndef WARPCLUST_VPTREE_LEAF_TREE_TESTING_HARD_POINTS_H_
#define WARPCLUST_VPTREE_LEAF_TREE_TESTING_HARD_POINTS_H_

#include <cstdint>
#include <random>
#include <vector>

#include "vptree/points/distance_key.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

using TestRandom = std::mt19937_64;

// Kinds of points that trees find hard.
enum class PointKind {
  kUniform,
  kLattice,
  kDuplicates,
  kEqual,
  kLine,
  kSkewed
};
inline constexpr PointKind kPointKinds[] = {
    PointKind::kUniform, PointKind::kLattice, PointKind::kDuplicates,
    PointKind::kEqual,   PointKind::kLine,    PointKind::kSkewed};

PointMatrix MakePoints(PointKind kind, int32_t n, int32_t d,
                       TestRandom* random);

// A permutation of 0 to n - 1.
std::vector<int32_t> MakeRanks(int32_t n, TestRandom* random);

double KeyBetween(const PointMatrix& points, Norm norm, int32_t i, int32_t j);

// A key that is somewhere among those of the points, often exactly one.
double MakeRadiusKey(const PointMatrix& points, Norm norm, TestRandom* random);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_LEAF_TREE_TESTING_HARD_POINTS_H_
