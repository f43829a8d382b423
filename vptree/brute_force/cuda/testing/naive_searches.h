// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// What searches among points must give, by double loops, and a comparison with
// what brute force on the GPU gives. Keys are those of AllKeys: [i * n + j].

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_NAIVE_SEARCHES_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_NAIVE_SEARCHES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "vptree/brute_force/cuda/brute_force_cuda.h"
#include "vptree/points/distance_key.h"
#include "vptree/points/nearest_point.h"
#include "vptree/points/point_matrix.h"

namespace warpclust {

std::vector<double> AllKeys(const PointMatrix& points, Norm norm);

std::vector<int32_t> NaiveCounts(const std::vector<double>& keys, int64_t n,
                                 double radius_key);

std::vector<NearestPoint> NaiveNearest(const std::vector<double>& keys,
                                       int64_t n,
                                       const std::vector<int32_t>& ranks);

// A permutation of 0 to n - 1.
std::vector<int32_t> ShuffledRanks(int32_t n, Random& random);

// Keys between points (ties at the radius), beside them, and far from them.
std::vector<double> RadiusKeys(const std::vector<double>& keys, int64_t n,
                               Random& random);

// A search for other labels, and what it must give by radius.
struct LabelCase {
  std::vector<int32_t> ranks;
  std::vector<int32_t> labels;
  std::vector<int32_t> before;
  std::vector<std::vector<int32_t>> best;
};

// Between the first `first` points and the others, or among all if that is -1.
LabelCase NaiveLabels(const std::vector<double>& keys, int32_t n, int32_t first,
                      const std::vector<double>& radius_keys, Random& random);

// Both end a test at the first difference.
void ExpectSameCounts(CudaBruteForce& index,
                      const std::vector<double>& radius_keys,
                      const std::vector<std::vector<int32_t>>& expected,
                      const std::string& what);
void ExpectSameLabels(CudaBruteForce& index,
                      const std::vector<double>& radius_keys,
                      const LabelCase& expected, const std::string& what);

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_TESTING_NAIVE_SEARCHES_H_
