// Copyright 2026 The warpclust authors
// SPDX-License-Identifier: Apache-2.0
//
// RoundToFloat: a row of a PairFilter in single precision, with its errors.

#ifndef WARPCLUST_VPTREE_BRUTE_FORCE_ROUNDED_ROW_H_
#define WARPCLUST_VPTREE_BRUTE_FORCE_ROUNDED_ROW_H_

#include <cmath>
#include <cstdint>

namespace warpclust {

// Rounds to float. Values whose products would be denormal, and slow, become 0.
inline float ToFloat(double x) {
  return std::fabs(x) < 0x1p-60 ? 0.0f : static_cast<float>(x);
}

// Rounds z to float. Returns its squared norm and that of the rounding error.
// Four sums at a time, for speed.
inline void RoundToFloat(const double* z, int32_t d, float* p, double* squares,
                         double* rounding) {
  double of_z[4] = {0, 0, 0, 0};
  double of_errors[4] = {0, 0, 0, 0};
  for (int32_t k = 0; k < d; ++k) {
    p[k] = ToFloat(z[k]);
    const double error = z[k] - p[k];
    of_z[k & 3] += z[k] * z[k];
    of_errors[k & 3] += error * error;
  }
  *squares = (of_z[0] + of_z[1]) + (of_z[2] + of_z[3]);
  *rounding = (of_errors[0] + of_errors[1]) + (of_errors[2] + of_errors[3]);
}

}  // namespace warpclust

#endif  // WARPCLUST_VPTREE_BRUTE_FORCE_ROUNDED_ROW_H_
