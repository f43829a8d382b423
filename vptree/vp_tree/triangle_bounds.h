// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// TriangleKeyBounds: bounds of the keys to a subtree by the distance to its
// vantage point, for the GPU. If q is at distance s from v, and every point of
// the subtree is between lo and hi from v, then each of them is between
// max(s - hi, lo - s, 0) and s + hi from q. The bounds hold for the keys as
// they are computed, not only for exact ones.
//
// Proof of the slack. Let u = 2^-53 and d the number of dimensions. A key is a
// chain of d roundings over differences that are rounded once, so the computed
// key is the exact one times 1 + t, |t| <= (d + 2)u / (1 - (d + 2)u), for L2
// (the difference counts twice), and less for L1 and LInf; its square root has
// at most |t| / 2 + u. So computed distances s, lo, hi and exact ones differ by
// a factor within 1 +- e, e = (d + 8) 2^-52, which leaves more than half of e
// for the few roundings below. What underflow takes from a key is below d
// 2^-1074, that is below 1e-150 in the distance while d < 2^70; the absolute
// term pays.

#ifndef WARPCLUST_VPTREE_VP_TREE_TRIANGLE_BOUNDS_H_
#define WARPCLUST_VPTREE_VP_TREE_TRIANGLE_BOUNDS_H_

#include <cmath>
#include <cstdint>

#include "base/machine/cuda_host_device.h"
#include "vptree/points/distance_key.h"

namespace warpclust {

// Returns the distance that bounds add and subtract: the key's root for L2.
template <Norm kNorm>
WARPCLUST_HOST_DEVICE inline double DistanceOfNormKey(double key) {
  if constexpr (kNorm == Norm::kL2) {
    return sqrt(key);
  } else {
    return key;
  }
}

// Every computed key between q and a point of the subtree is at least
// *min_key and at most *max_key. `distance` is s, `nearest` lo, `farthest` hi;
// an empty subtree has lo = infinity and hi <= 0, and gets an infinite
// *min_key.
template <Norm kNorm>
WARPCLUST_HOST_DEVICE inline void TriangleKeyBounds(
    double distance, double nearest, double farthest, int32_t num_dimensions,
    double* min_key, double* max_key) {
  constexpr double kUnderflow = 1e-150;
  const double e = (num_dimensions + 8) * (1.0 / 4503599627370496.0);
  const double inner = distance - farthest;
  const double outer = nearest - distance;
  const double sum = distance + farthest;
  double least = (inner > outer ? inner : outer) - (2 * e * sum + kUnderflow);
  least = least > 0 ? least * (1 - e) : 0;
  double most = sum > 0 ? sum : 0;
  most = most * (1 + 3 * e) + kUnderflow;
  if constexpr (kNorm == Norm::kL2) {
    least = least * least * (1 - e);
    most = most * most * (1 + e);
  }
  *min_key = least;
  *max_key = most;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_VP_TREE_TRIANGLE_BOUNDS_H_
