// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Random points that are hard for a filter in 8 bits.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_TENSOR_POINTS_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_TENSOR_POINTS_H_

#include <cstdint>

#include "vptree/points/point_matrix.h"

namespace warpclust {

enum class TensorPoints {
  kBytes,       // on a grid of 8 bits: the filter is exact
  kBits,        // 0 or 1: ties everywhere
  kIntegers,    // -1000 … 1000: no grid of 8 bits
  kNormal,      //
  kClusters,    // five, far apart
  kOffset,      // 10^9 and a little
  kTiny,        // around 10^-160: squares are no normal numbers
  kSubnormal,   // around 10^-310
  kRanges,      // dimensions whose scales differ by 10^9
  kOutlier,     // one point 10^6 times as far away as the others
  kDuplicates,  // of a few points
  kEqual,       // one point
  kCorners,     // one coordinate 1, others 0: all distances equal
  kLarge,       // up to 10^150
};
inline constexpr TensorPoints kTensorPoints[] = {
    TensorPoints::kBytes,   TensorPoints::kBits,       TensorPoints::kIntegers,
    TensorPoints::kNormal,  TensorPoints::kClusters,   TensorPoints::kOffset,
    TensorPoints::kTiny,    TensorPoints::kSubnormal,  TensorPoints::kRanges,
    TensorPoints::kOutlier, TensorPoints::kDuplicates, TensorPoints::kEqual,
    TensorPoints::kCorners, TensorPoints::kLarge};

PointMatrix MakeTensorPoints(TensorPoints kind, int32_t n, int32_t d,
                             uint64_t seed);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_TENSOR_POINTS_H_
