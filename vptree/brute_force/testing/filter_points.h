// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random points that are hard for a single-precision filter.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_TESTING_FILTER_POINTS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_TESTING_FILTER_POINTS_H_

#include <cstdint>

#include "base/numbers/random.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

enum class FilterPoints {
  kUniform,
  kClusters,    // Far apart, so that tiles are skipped or counted whole.
  kLattice,     // Ties everywhere.
  kDuplicates,  // Four fifths one point.
  kEqual,
  kFewFactors,   // Near a plane of three dimensions: principal axes pay.
  kImages,       // The same, on a grid of 8 bits.
  kMixedScales,  // 7e8 beside [0, 1].
  kFarPairs,     // 1e12 apart, neighbors within 1.
  kTiny,         // Squares are denormal or zero.
  kSmall,        // Squares are normal, but beyond a float.
  kHuge,
};
inline constexpr FilterPoints kFilterPoints[] = {
    FilterPoints::kUniform,  FilterPoints::kClusters,
    FilterPoints::kLattice,  FilterPoints::kDuplicates,
    FilterPoints::kEqual,    FilterPoints::kFewFactors,
    FilterPoints::kImages,   FilterPoints::kMixedScales,
    FilterPoints::kFarPairs, FilterPoints::kTiny,
    FilterPoints::kSmall,    FilterPoints::kHuge};

// Principal axes pay in many dimensions.
inline constexpr FilterPoints kPointsWithAxes[] = {
    FilterPoints::kClusters, FilterPoints::kDuplicates,
    FilterPoints::kFewFactors, FilterPoints::kImages};

PointMatrix MakeFilterPoints(FilterPoints kind, int32_t n, int32_t d,
                             Random* random);

// num_others points somewhat like those, and then those of [begin, end).
PointMatrix BehindOthers(const PointMatrix& points, int32_t begin, int32_t end,
                         int32_t num_others, Random* random);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_TESTING_FILTER_POINTS_H_
