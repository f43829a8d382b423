// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// Distance keys decide which of two points is nearer and whether a point lies
// within a radius. A key grows with the distance and is cheaper to compute:
//
//   Norm::kL2     sum of squared differences, an fma chain in dimension order
//   Norm::kL1     sum of absolute differences, added in dimension order
//   Norm::kLInf   largest absolute difference
//
// Keys are nonnegative doubles. Every backend, tile and vector width computes
// the same bits, and Key(x, y) == Key(y, x).
//
// Every step is a correctly rounded operation that does not decrease when a
// |difference| grows. So the key computed from lower (upper) bounds of the
// |differences| is itself a lower (upper) bound of the computed key of the
// points: bounding boxes decide exactly, without slack.

#ifndef WARPCLUST_VPTREE_POINTS_DISTANCE_KEY_H_
#define WARPCLUST_VPTREE_POINTS_DISTANCE_KEY_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

enum class Norm : int32_t { kL2, kL1, kLInf };

// Returns `key` after one more coordinate. `difference` may have either sign.
template <Norm kNorm>
WARPCLUST_HOST_DEVICE inline double AddToKey(double key, double difference) {
  if constexpr (kNorm == Norm::kL2) {
    return fma(difference, difference, key);
  } else if constexpr (kNorm == Norm::kL1) {
    return key + fabs(difference);
  } else {
    const double magnitude = fabs(difference);
    return magnitude > key ? magnitude : key;
  }
}

// Returns the key of two points. Coordinate k is x[k * x_stride] and
// y[k * y_stride].
template <Norm kNorm>
WARPCLUST_HOST_DEVICE inline double DistanceKey(const double* x,
                                                int64_t x_stride,
                                                const double* y,
                                                int64_t y_stride,
                                                int32_t num_dimensions) {
  double key = 0;
  for (int32_t k = 0; k < num_dimensions; ++k) {
    key = AddToKey<kNorm>(key, x[k * x_stride] - y[k * y_stride]);
  }
  return key;
}

// The same with the norm chosen at run time.
WARPCLUST_HOST_DEVICE inline double DistanceKey(Norm norm, const double* x,
                                                int64_t x_stride,
                                                const double* y,
                                                int64_t y_stride,
                                                int32_t num_dimensions) {
  switch (norm) {
    case Norm::kL2:
      return DistanceKey<Norm::kL2>(x, x_stride, y, y_stride, num_dimensions);
    case Norm::kL1:
      return DistanceKey<Norm::kL1>(x, x_stride, y, y_stride, num_dimensions);
    case Norm::kLInf:
      break;
  }
  return DistanceKey<Norm::kLInf>(x, x_stride, y, y_stride, num_dimensions);
}

// Returns the key of two rows.
WARPCLUST_HOST_DEVICE inline double DistanceKey(Norm norm, const double* x,
                                                const double* y,
                                                int32_t num_dimensions) {
  return DistanceKey(norm, x, 1, y, 1, num_dimensions);
}

// "distance < radius" is decided as key < KeyOfRadius(norm, radius). If the
// square of a positive radius underflows, the radius still reaches equal
// points.
inline double KeyOfRadius(Norm norm, double radius) {
  const double key = norm == Norm::kL2 ? radius * radius : radius;
  return radius > 0 && key == 0 ? std::numeric_limits<double>::denorm_min()
                                : key;
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_POINTS_DISTANCE_KEY_H_
