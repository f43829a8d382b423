// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// WarpKey: the key of two points by all lanes of a warp, for bounds. It adds in
// another order than DistanceKey: the relative error is n 2^-52 for n terms, so
// a distance is within 10^-9 of itself up to 10^6 dimensions. Squares below
// 2^-1074 vanish: less than 10^-150 in a distance.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_WARP_KEY_CUDA_CUH_
#define WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_WARP_KEY_CUDA_CUH_

#include <cstdint>

#include "kernels/launch.cuh"
#include "vptree/points/distance_key.h"

namespace warpclust {

// All lanes get it.
template <Norm kNorm>
__device__ double WarpKey(const double* x, const double* y,
                          int32_t dimensions) {
  double key = 0;
  for (int k = static_cast<int>(threadIdx.x) & 31; k < dimensions; k += 32) {
    key = AddToKey<kNorm>(key, x[k] - y[k]);
  }
  for (int step = 16; step > 0; step /= 2) {
    const double other = __shfl_xor_sync(kFullWarp, key, step);
    key = kNorm == Norm::kLInf ? fmax(key, other) : key + other;
  }
  return key;
}

template <Norm kNorm>
__device__ double DistanceOf(double key) {
  return kNorm == Norm::kL2 ? sqrt(key) : key;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_CUDA_WARP_KEY_CUDA_CUH_
