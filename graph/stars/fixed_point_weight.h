// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// FixedPointScale: edge weights as integers below 2^32. So the sums behind the
// approximated intra-cluster similarity (AIS) do not depend on the order of
// addition, the number of threads or the device.
//
// A weight w becomes w · 2^shift, rounded once to the nearest integer, half to
// even. The shift is the largest that keeps the largest weight below 2^32,
// except that it is 31 if that weight is in (2^-8, 1]. So all cosine graphs
// with β > 2^-8 have one scale, and a component clustered alone gets the values
// that it has in the whole graph. A float in [2^-8, 1] is a multiple of 2^-31,
// so its integer is exact.

#ifndef WARPCLUST_GRAPH_STARS_FIXED_POINT_WEIGHT_H_
#define WARPCLUST_GRAPH_STARS_FIXED_POINT_WEIGHT_H_

#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/machine/cuda_host_device.h"

namespace warpclust {

struct FixedPointScale {
  // A power of two.
  double factor = 2147483648.0;

  // `weight` is at least 0 and at most the largest weight of the scale. A float
  // times a power of two is exact in double; adding 2^52 rounds it to an
  // integer, half to even, in the low bits.
  WARPCLUST_HOST_DEVICE uint64_t ToInteger(float weight) const {
    const double shifted =
        static_cast<double>(weight) * factor + 4503599627370496.0;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof(bits));
    return bits & 0xfffffffffffffull;
  }
};

// The scale for weights up to `largest`, which is finite and at least 0.
inline FixedPointScale MakeFixedPointScale(float largest) {
  FixedPointScale scale;
  if (largest == 0.0f || (largest > 1.0f / 256 && largest <= 1.0f)) {
    return scale;
  }
  int exponent;
  // largest = fraction · 2^exponent with fraction <= 1 - 2^-24, so that
  // rounding fraction · 2^32 stays below 2^32.
  std::frexp(largest, &exponent);
  scale.factor = std::ldexp(1.0, 32 - exponent);
  return scale;
}

// Whether average a = sum_a / count_a is at least average b, exactly. Sums
// below 2^63, counts in [1, 2^31).
WARPCLUST_HOST_DEVICE inline bool AverageAtLeast(uint64_t sum_a,
                                                 uint64_t count_a,
                                                 uint64_t sum_b,
                                                 uint64_t count_b) {
  return static_cast<unsigned __int128>(sum_a) * count_b >=
         static_cast<unsigned __int128>(sum_b) * count_a;
}

// The integer part of the average sum / count, 0 if count is 0; `sum` is of
// `count` weights in fixed point, so it fits. x <= y implies floor(x) <=
// floor(y), so unequal integer parts compare as the averages do.
WARPCLUST_HOST_DEVICE inline uint32_t AverageFloor(uint64_t sum,
                                                   uint64_t count) {
  return count == 0 ? 0 : static_cast<uint32_t>(sum / count);
}

}  // namespace warpclust

#endif  // WARPCLUST_GRAPH_STARS_FIXED_POINT_WEIGHT_H_
